import { fragmentSettings } from '@daybook/contract/page';
import { defaultSiteSettings } from '@daybook/contract/site';
import { provideSiteSettings } from '@daybook/platform/host';
import { neutralPage } from '@daybook/platform/prerender';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { render, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { renderToString } from 'react-dom/server.edge';
import AccessibleView from './accessible-view.tsx';

beforeEach(() => provideSiteSettings(defaultSiteSettings));
afterEach(() => void jest.useRealTimers());

test('the accessible view has its sections, a link to each, and a footer', () => {
  provideSiteSettings({ ...defaultSiteSettings, supportAddress: 'help@publisher.example' });
  const { container } = render(<AccessibleView />);
  const main = within(screen.getByRole('main'));
  expect(main.getByRole('link', { name: 'Back to Standard View' })).toHaveAttribute('href', '/');
  for (const href of ['/terms', '/privacy-policy', '/unsubscribe'])
    expect(screen.getByRole('contentinfo').querySelector(`[href="${href}"]`)).toBeVisible();
  const features = main.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent);
  expect(features).toEqual(['Market Updates', 'Saving Strategies', 'Investment Insights']);
  expect(container).toHaveTextContent(/High contrast.*Simplified layout.*Screen reader.*Keyboard.*No animations/);
  expect(container).toHaveTextContent(/market trends.*saving strategies.*investment insights.*retirement planning/);
  expect(container).toHaveTextContent(/WCAG\) 2\.1 at Level AA/);
  const links = within(screen.getByRole('navigation', { name: 'Contents' })).getAllByRole('link');
  expect(links.map((link) => link.getAttribute('href')).join(' ')).toBe(
    '#about #newsletter #features #contact #accessibility-statement',
  );
  // jsdom reads a space at the break opportunity; browsers don't.
  const addresses = screen.getAllByRole('link', { name: /^help@ ?publisher\.example$/ });
  expect(addresses.map(({ textContent }) => textContent)).toEqual(Array(3).fill('help@publisher.example'));
});

test('the form says that it is not connected and that nothing was sent', async () => {
  render(<AccessibleView />);
  const field = screen.getByRole('textbox', { name: 'Email address' });
  expect(field).toHaveAccessibleDescription(/not connected/);
  await userEvent.type(field, 'ada@example.com{Enter}');
  expect(screen.getByRole('status')).toHaveTextContent('Nothing was sent');
  expect(field).toHaveValue('ada@example.com');
});

test('the prerendered page has a placeholder for the year', () => {
  const html = renderToString(neutralPage({ default: AccessibleView }));
  expect(html.replaceAll('<!-- -->', '')).toContain(`© ${fragmentSettings.year} Daybook`);
  expect(html).not.toMatch(/\b20\d\d\b/);
});

test('the HTML of a server that is in last year hydrates, then shows this year', () => {
  jest.useFakeTimers({ now: new Date(2026, 0, 1) });
  provideSiteSettings({ ...defaultSiteSettings, year: '2025' });
  const container = document.createElement('div');
  container.innerHTML = renderToString(<AccessibleView />);
  const onRecoverableError = jest.fn();
  document.body.append(container);
  render(<AccessibleView />, { container, hydrate: true, onRecoverableError });
  expect(onRecoverableError).not.toHaveBeenCalled();
  expect(screen.getByText(/^©/)).toHaveTextContent('© 2026 Daybook Publishing Co.');
});
