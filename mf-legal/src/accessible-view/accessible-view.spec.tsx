import { defaultSiteSettings } from '@daybook/contract/site';
import { provideSiteSettings } from '@daybook/platform/host';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { render, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { axe } from 'jest-axe';
import { renderToString } from 'react-dom/server.edge';
import AccessibleView from './accessible-view.tsx';

const show = () => render(<AccessibleView />);

beforeEach(() => provideSiteSettings(defaultSiteSettings));
afterEach(() => {
  jest.useRealTimers();
});

describe('the accessible view', () => {
  test('lists its contents, each with a link to its heading', () => {
    const { container } = show();
    const links = within(screen.getByRole('navigation', { name: 'Contents' })).getAllByRole('link');
    expect(links.map((link) => link.getAttribute('href'))).toEqual([
      '#about',
      '#newsletter',
      '#features',
      '#contact',
      '#accessibility-statement',
    ]);
    for (const link of links) {
      expect(container.querySelector(link.getAttribute('href') ?? '')).toHaveTextContent(link.textContent ?? '');
    }
  });

  test('names the support address that the operator set', () => {
    provideSiteSettings({ ...defaultSiteSettings, supportAddress: 'help@publisher.example' });
    show();
    // jsdom reads a space at the break opportunity; browsers don't.
    const links = screen.getAllByRole('link', { name: /^help@ ?publisher\.example$/ });
    expect(links.map(({ textContent }) => textContent)).toEqual(Array(3).fill('help@publisher.example'));
  });

  test('has its own main landmark and footer', () => {
    show();
    expect(within(screen.getByRole('main')).getByRole('heading', { level: 1 })).toBeTruthy();
    expect(within(screen.getByRole('main')).queryByRole('contentinfo')).toBeNull();
    expect(within(screen.getByRole('contentinfo')).getByRole('link', { name: 'Privacy Policy' })).toBeTruthy();
  });

  test.each([
    ['at the same time', '2026'],
    ['in last year by its time zone', '2025'],
    ['that sends no year', undefined],
  ])('hydrates the HTML of a server %s without a mismatch, then shows the year of the browser', (_which, year) => {
    jest.useFakeTimers({ now: new Date(2026, 0, 1) });
    provideSiteSettings({ ...defaultSiteSettings, ...(year && { year }) });
    const container = document.createElement('div');
    container.innerHTML = renderToString(<AccessibleView />);
    expect(within(container).getByText(/^©/)).toHaveTextContent(`© ${year ?? ''} Daybook`.replace('  ', ' '));
    const onRecoverableError = jest.fn();
    document.body.append(container);
    render(<AccessibleView />, { container, hydrate: true, onRecoverableError });
    expect(onRecoverableError).not.toHaveBeenCalled();
    expect(screen.getByText(/^©/)).toHaveTextContent('© 2026 Daybook Publishing Co.');
  });
});

test('the demo form preserves the typed text and states that nothing is sent', async () => {
  const { container } = show();
  const field = screen.getByRole('textbox', { name: 'Email address' });
  expect(field).toHaveAccessibleDescription(/not connected/);
  expect(screen.getByRole('status')).toBeEmptyDOMElement();
  expect((await axe(container)).violations).toEqual([]);
  await userEvent.type(field, 'ada@example.com{Enter}');
  expect(screen.getByRole('status')).toHaveTextContent('Nothing was sent');
  expect(field).toHaveValue('ada@example.com');
  expect((await axe(container)).violations).toEqual([]);
});
