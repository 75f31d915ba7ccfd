import { readFileSync } from 'node:fs';
import path from 'node:path';
import { defaultSiteSettings, site } from '@daybook/contract/site';
import { provideSiteSettings } from '@daybook/platform/host';
import { accessibilityViolations } from '@daybook/testing/axe';
import { beforeEach, expect, test } from '@jest/globals';
import { render, screen, within } from '@testing-library/react';
import { legalPage } from './legal-page.tsx';

const Text: Parameters<typeof legalPage>[1]['default'] = ({ components: { h2: Heading = 'h2' } = {} }) => (
  <>
    <p>Please read this.</p>
    <Heading id="who-may-subscribe">Who may subscribe</Heading>
    <Heading id="how-to-stop">
      How to <a href="/unsubscribe">stop</a>
    </Heading>
    <p>At any time.</p>
  </>
);

/** Returns the Markdown of a page, which units get a mock of in place of its component. */
const textOf = (address: string) => readFileSync(path.join(import.meta.dirname, `../../content${address}.md`), 'utf8');

beforeEach(() => provideSiteSettings(defaultSiteSettings));

test('a legal page has title, date, text, links to its sections, and contact details', async () => {
  provideSiteSettings({ ...defaultSiteSettings, supportAddress: 'help@publisher.example' });
  const HouseRules = legalPage('House Rules', { default: Text, frontmatter: { lastUpdated: '2024-02-29' } });
  const { container } = render(<HouseRules />, {
    container: document.body.appendChild(document.createElement('main')),
  });
  expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('House Rules');
  expect(screen.getByText(/^Last Updated:/)).toHaveTextContent('Last Updated: February 29, 2024');
  expect(screen.getByText('Please read this.')).toBeVisible();
  const links = within(screen.getByRole('navigation', { name: 'Contents' })).getAllByRole('link');
  expect(links.map((link) => link.textContent)).toEqual(['Who may subscribe', 'How to stop']);
  for (const link of links) {
    const heading = container.querySelector(link.getAttribute('href') ?? '');
    expect(heading).toHaveTextContent(link.textContent ?? '');
    expect(heading).toHaveAttribute('tabindex', '-1');
  }
  const contact = within(screen.getByRole('region', { name: 'Contact' }));
  expect(contact.getByRole('link', { name: 'help@publisher.example' })).toHaveAttribute(
    'href',
    'mailto:help@publisher.example',
  );
  expect(contact.getByText(new RegExp(site.publisher))).toBeVisible();
  expect(await accessibilityViolations(container)).toEqual([]);
});

test.each([
  [undefined, 'no date'],
  [{ lastUpdated: 'May 20, 2025' }, '“May 20, 2025” as its date, which is none'],
  [{ lastUpdated: '2025-02-30' }, '“2025-02-30” as its date, which is none'],
])('a legal page needs a valid date: %j', (frontmatter, problem) => {
  expect(() => legalPage('House Rules', { default: Text, frontmatter })).toThrow(
    `“House Rules” has ${problem}. Begin its Markdown file with three lines: ---, lastUpdated: 2025-05-20, ---`,
  );
});

const times = ['48 hours', '45 days', '15 business days'];
const pages = 'ca-unsubscribe privacy-rights-request profiling-opt-out targeted-opt-out limit-sensitive-info';
const choices = pages.split(' ').map((page) => `](/${page})`);

/** What each text must state (docs/product.md, Constants). */
test.each([
  ['/terms', ['48 hours', '30 days’ notice']],
  ['/privacy-policy', [...times, ...choices, '30 days’ notice', 'under 18']],
  ['/california-privacy-notice', [...times, ...choices, '30 days’ notice', 'Global Privacy Control']],
  ['/e-consent', [...times, '30 days']],
  ['/cookie-policy', [...times, '30 days’ notice', '30 days from the latest sign-up', '90 days']],
])('%s states what it must, and is not dated in the future', (address, statements) => {
  const text = textOf(address);
  const [, date = ''] = /^lastUpdated: (\d{4}-\d{2}-\d{2})$/m.exec(text) ?? [];
  // Tomorrow has begun in other time zones.
  expect(Date.parse(date)).toBeLessThan(Date.now() + 86_400_000);
  expect(statements.filter((statement) => !text.includes(statement))).toEqual([]);
});

test('the California notice lists twelve categories, none sold or shared', () => {
  const [, ...rows] = textOf('/california-privacy-notice').match(/^\|.*\| (?:Sold or shared|No|Yes) \|$/gm) ?? [];
  expect(rows).toHaveLength(12);
  expect(rows.filter((row) => !row.endsWith('| No |'))).toEqual([]);
});
