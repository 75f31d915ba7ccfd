import { defaultSiteSettings, site } from '@daybook/contract/site';
import { provideSiteSettings } from '@daybook/platform/host';
import { beforeEach, expect, test } from '@jest/globals';
import { render, screen, within } from '@testing-library/react';
import { axe } from 'jest-axe';
import remote from '../remote.ts';
import { legalPage } from './legal-page.tsx';
import { LegalTable } from './legal-table.tsx';

/** A text as MDX compiles it. */
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

beforeEach(() => provideSiteSettings(defaultSiteSettings));

test('a legal page has its title, date and text, links to its sections, and the contact details that the operator set', () => {
  provideSiteSettings({ ...defaultSiteSettings, supportAddress: 'help@publisher.example' });
  const HouseRules = legalPage('House Rules', { default: Text, frontmatter: { lastUpdated: '2024-02-29' } });
  const { container } = render(<HouseRules />);
  expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('House Rules');
  expect(screen.getByText(/^Last Updated:/)).toHaveTextContent('Last Updated: February 29, 2024');
  expect(screen.getByText('Please read this.')).toBeVisible();
  const links = within(screen.getByRole('navigation', { name: 'Contents' })).getAllByRole('link');
  expect(links.map((link) => link.textContent)).toEqual(['Who may subscribe', 'How to stop']);
  for (const link of links)
    expect(container.querySelector(link.getAttribute('href') ?? '')).toHaveTextContent(link.textContent ?? '');
  const contact = within(screen.getByRole('region', { name: 'Contact' }));
  expect(contact.getByRole('link', { name: 'help@publisher.example' })).toHaveAttribute(
    'href',
    'mailto:help@publisher.example',
  );
  expect(contact.getByText(new RegExp(site.publisher))).toBeVisible();
});

test.each([
  [undefined, 'no date'],
  [{}, 'no date'],
  [{ lastUpdated: '' }, 'no date'],
  [{ lastUpdated: 'May 20, 2025' }, '“May 20, 2025” as its date, which is none'],
  [{ lastUpdated: '2025-02-30' }, '“2025-02-30” as its date, which is none'],
])('a legal page needs a valid date: %j', (frontmatter, problem) => {
  expect(() => legalPage('House Rules', { default: Text, frontmatter })).toThrow(
    `“House Rules” has ${problem}. Begin its Markdown file with three lines: ---, lastUpdated: 2025-05-20, ---`,
  );
});

test.each(remote.routes.filter(({ frame }) => frame === 'site'))(
  '$path is a legal page with the title of its route, and accessible',
  async ({ title, page }) => {
    const { default: Page } = await page();
    const { container } = render(
      <main>
        <Page />
      </main>,
    );
    expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent(title);
    expect(screen.getByText(/^Last Updated:/)).toHaveTextContent('Last Updated: May 20, 2025');
    expect((await axe(container)).violations).toEqual([]);
  },
);

test('a table has headings for columns and rows, labels each cell for narrow screens, and preserves its markup', async () => {
  const { container } = render(
    <LegalTable>
      <thead>
        <tr>
          <th>Name</th>
          <th>How long</th>
        </tr>
      </thead>
      {'\n'}
      <tbody>
        <tr>
          <td>
            <code>waitlist</code>
          </td>
          <td>
            30 days, see <a href="/privacy-policy">the policy</a>
          </td>
        </tr>
        <tr>
          <td>userEmail</td>
          <td>Until you clear it</td>
        </tr>
      </tbody>
    </LegalTable>,
  );
  const textsOf = (role: string) => screen.getAllByRole(role).map(({ textContent }) => textContent);
  expect(textsOf('columnheader')).toEqual(['Name', 'How long']);
  expect(textsOf('rowheader')).toEqual(['waitlist', 'userEmail']);
  expect(textsOf('cell')).toEqual(['How long: 30 days, see the policy', 'How long: Until you clear it']);
  expect(screen.getByRole('link', { name: 'the policy' })).toHaveAttribute('href', '/privacy-policy');
  expect((await axe(container)).violations).toEqual([]);
});
