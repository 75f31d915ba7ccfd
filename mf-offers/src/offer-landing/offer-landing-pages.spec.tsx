import { defaultSiteSettings } from '@daybook/contract/site';
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { axe } from 'jest-axe';
import { fakeApi } from '../testing/fake-api.ts';
import { prerender, visit } from '../testing/visit.tsx';
import DentalSavingsPage from './dental-savings-page.tsx';
import EmergencyPendantPage from './emergency-pendant-page.tsx';
import HearingAidsPage from './hearing-aids-page.tsx';

const demoNotice = 'This is a demo. Nothing you entered was sent.';

afterEach(() => void jest.restoreAllMocks());

describe.each([
  ['emergency-pendant', EmergencyPendantPage, 'Help at the press of a button', '$150 off a home security system'],
  ['dental-savings', DentalSavingsPage, 'Pay less at the dentist', 'Plans from $9.95 a month'],
  ['hearing-aids', HearingAidsPage, 'Hear it for yourself', '45 days free trial at home'],
])('/offer-landing/%s', (_name, Page, heading, figure) => {
  test('is labelled as sponsored, shows its figure, and links back', () => {
    prerender(Page);
    expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent(heading);
    expect(screen.getByText('Sponsored')).toBeVisible();
    expect(screen.getByRole('main')).toHaveTextContent(figure);
    expect(screen.getByRole('link', { name: 'Back to your subscription' })).toHaveAttribute('href', '/thank-you');
  });

  test('has no accessibility problems', async () => {
    const { container } = visit(Page, '/offer-landing');
    expect((await axe(container)).violations).toEqual([]);
  });
});

test('the pendant’s page links to the sponsor, in a new tab', () => {
  visit(EmergencyPendantPage, '/offer-landing/emergency-pendant');
  const link = screen.getByRole('link', { name: 'See the offer at Vivint' });
  expect(link).toHaveAttribute('href', defaultSiteSettings.sponsorAddresses.vivint);
  expect(link).toHaveAttribute('target', '_blank');
  expect(link).toHaveAttribute('rel', 'noopener noreferrer sponsored');
  expect(screen.queryByRole('form')).toBeNull();
  expect(screen.getByText(/may pay us when you take it up/)).toBeVisible();
});

describe.each([
  ['dental', DentalSavingsPage, 'See plans near me'],
  ['hearing', HearingAidsPage, 'Start my free trial'],
])('the %s form', (_name, Page, action) => {
  const press = () => userEvent.click(screen.getByRole('button', { name: action }));

  test('has fields for name, phone, address and ZIP code, and states beforehand that it is a demo', () => {
    visit(Page, '/offer-landing');
    expect(screen.getAllByRole('textbox').map((field) => (field as HTMLInputElement).labels?.[0]?.textContent)).toEqual(
      ['Full name', 'Phone number', 'Email address', 'ZIP code'],
    );
    expect(screen.getByRole('form')).toHaveAccessibleDescription(
      'This form is a demo: nothing you enter is sent or kept.',
    );
  });

  test('mentions no payment, because the demo sells nothing', () => {
    visit(Page, '/offer-landing');
    expect(screen.queryByText(/pay us/)).toBeNull();
  });

  test('sends nothing that was typed, even before the script is loaded', () => {
    prerender(Page);
    expect(screen.getByRole('form')).toHaveAttribute('method', 'dialog');
  });

  test.each([
    [
      'throws',
      () => {
        throw new Error('Dialogs are not supported.');
      },
    ],
    ['is missing', undefined],
  ])('shows the demo notice on the page if alert() %s', async (_what, replaced) => {
    const { alert } = window;
    Object.assign(window, { alert: replaced });
    try {
      visit(Page, '/offer-landing');
      await press();
      await press();
      expect(screen.getByRole('status')).toHaveTextContent(demoNotice);
    } finally {
      Object.assign(window, { alert });
    }
  });

  test.each([false, true])(
    'only shows the demo notice, on the page before the alert (filled in: %p)',
    async (filledIn) => {
      const { calls } = fakeApi(() => ({}));
      const onPage: (string | null)[] = [];
      const alert = jest.spyOn(window, 'alert').mockImplementation(() => {
        onPage.push(screen.getByRole('status').textContent);
      });
      const { navigations } = visit(Page, '/offer-landing');
      if (filledIn) await userEvent.type(screen.getByRole('textbox', { name: 'Full name' }), 'Ruth Reader');
      expect(screen.getByRole('status').textContent).toBe('');
      await press();
      await press();
      expect(alert.mock.calls).toEqual([[demoNotice], [demoNotice]]);
      expect(onPage).toEqual([demoNotice, demoNotice]);
      expect(calls).toEqual([]);
      expect(navigations).toEqual([]);
      expect(localStorage).toHaveLength(0);
    },
  );
});
