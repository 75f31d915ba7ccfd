import { defaultSiteSettings, site } from '@daybook/contract/site';
import { provideSiteSettings } from '@daybook/platform/host';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { render, screen, within } from '@testing-library/react';
import { axe } from 'jest-axe';
import CaliforniaPrivacyNoticePage from '../pages/california-privacy-notice-page.tsx';
import CookiePolicyPage from '../pages/cookie-policy-page.tsx';
import ElectronicConsentPage from '../pages/e-consent-page.tsx';
import PrivacyPolicyPage from '../pages/privacy-policy-page.tsx';
import TermsPage from '../pages/terms-page.tsx';
import { legalPage } from './legal-page.tsx';
import { LegalTable } from './legal-table.tsx';

/** A text as MDX compiles it. */
const Text: Parameters<typeof legalPage>[1]['default'] = ({ components: { h2: Heading = 'h2' } = {} }) => (
  <>
    <p>Please read this.</p>
    <Heading id="who-may-subscribe">Who may subscribe</Heading>
    <p>Anyone.</p>
    <Heading id="how-to-stop">
      How to <a href="/unsubscribe">stop</a>
    </Heading>
    <p>At any time.</p>
  </>
);

const HouseRules = legalPage('House Rules', { default: Text, frontmatter: { lastUpdated: '2024-02-29' } });

const show = () =>
  render(
    <main>
      <HouseRules />
    </main>,
  );

beforeEach(() => provideSiteSettings(defaultSiteSettings));

describe('a legal page', () => {
  test('shows its title, date and text', () => {
    show();
    expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('House Rules');
    expect(screen.getByText(/^Last Updated:/)).toHaveTextContent('Last Updated: February 29, 2024');
    expect(screen.getByText('Please read this.')).toBeVisible();
  });

  test.each([
    [undefined, 'no date'],
    [{}, 'no date'],
    [{ lastUpdated: '' }, 'no date'],
    [{ lastUpdated: 'May 20, 2025' }, '“May 20, 2025” as its date, which is none'],
    [{ lastUpdated: '2025-02-30' }, '“2025-02-30” as its date, which is none'],
  ])('needs a valid date: %j', (frontmatter, problem) => {
    expect(() => legalPage('House Rules', { default: Text, frontmatter })).toThrow(
      `“House Rules” has ${problem}. Begin its Markdown file with three lines: ---, lastUpdated: 2025-05-20, ---`,
    );
  });

  test('lists its sections, each with a link to its heading', () => {
    const { container } = show();
    const links = within(screen.getByRole('navigation', { name: 'Contents' })).getAllByRole('link');
    expect(links.map((link) => link.textContent)).toEqual(['Who may subscribe', 'How to stop']);
    for (const link of links) {
      const target = container.querySelector(link.getAttribute('href') ?? '');
      expect(target).toHaveTextContent(link.textContent ?? '');
    }
  });

  test('ends with the support address that the operator set, and the postal address', () => {
    provideSiteSettings({ ...defaultSiteSettings, supportAddress: 'help@publisher.example' });
    show();
    const contact = within(screen.getByRole('region', { name: 'Contact' }));
    expect(contact.getByRole('link', { name: 'help@publisher.example' })).toHaveAttribute(
      'href',
      'mailto:help@publisher.example',
    );
    expect(contact.getByText(new RegExp(site.publisher))).toBeVisible();
  });
});

test.each([
  ['Terms of Service', TermsPage],
  ['Privacy Policy', PrivacyPolicyPage],
  ['California Privacy Notice', CaliforniaPrivacyNoticePage],
  ['Electronic Communications Consent', ElectronicConsentPage],
  ['Cookie Policy', CookiePolicyPage],
])('“%s” is a legal page', async (title, Page) => {
  const { container } = render(
    <main>
      <Page />
    </main>,
  );
  expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent(title);
  expect(screen.getByText(/^Last Updated:/)).toHaveTextContent('Last Updated: May 20, 2025');
  expect((await axe(container)).violations).toEqual([]);
});

const showTable = () =>
  render(
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

test('a table has headings for columns and rows, labels each cell for narrow screens, and preserves its markup', async () => {
  const { container } = showTable();
  expect(screen.getAllByRole('columnheader').map((cell) => cell.textContent)).toEqual(['Name', 'How long']);
  expect(screen.getAllByRole('rowheader').map((cell) => cell.textContent)).toEqual(['waitlist', 'userEmail']);
  expect(screen.getAllByRole('cell').map((cell) => cell.textContent)).toEqual([
    'How long: 30 days, see the policy',
    'How long: Until you clear it',
  ]);
  expect(screen.getByRole('link', { name: 'the policy' })).toHaveAttribute('href', '/privacy-policy');
  expect((await axe(container)).violations).toEqual([]);
});
