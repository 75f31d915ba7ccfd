import { defaultSiteSettings } from '@daybook/contract/site';
import { fakeApi } from '@daybook/testing/fake-api';
import { afterEach, expect, jest, test } from '@jest/globals';
import { fireEvent, screen } from '@testing-library/react';
import { visit } from '../testing/visit.tsx';
import DentalSavingsPage from './offer-landing-dental-savings.tsx';
import EmergencyPendantPage from './offer-landing-emergency-pendant.tsx';
import HearingAidsPage from './offer-landing-hearing-aids.tsx';

afterEach(() => void jest.restoreAllMocks());

test.each([
  ['emergency-pendant', EmergencyPendantPage, 'Help at the press of a button', '$150 off a home security system'],
  ['dental-savings', DentalSavingsPage, 'Pay less at the dentist', 'Plans from $9.95 a month'],
  ['hearing-aids', HearingAidsPage, 'Hear it for yourself', '45 days free trial at home'],
])('/offer-landing/%s is labelled as sponsored, shows its figure, and links back', (_, Page, heading, figure) => {
  const { container } = visit(Page, '/offer-landing');
  expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent(heading);
  expect(screen.getByText('Sponsored')).toBeVisible();
  expect(container).toHaveTextContent(figure);
  expect(screen.getByRole('link', { name: 'Back to your subscription' })).toHaveAttribute('href', '/thank-you');
});

test('the pendant’s page links to its sponsor in a new tab', () => {
  visit(EmergencyPendantPage, '/offer-landing');
  const link = screen.getByRole('link', { name: 'See the offer at Vivint' });
  expect(link).toHaveAttribute('href', defaultSiteSettings.sponsorAddresses.vivint);
  expect(link).toHaveAttribute('rel', 'noopener noreferrer sponsored');
});

test('a demo form only shows and alerts a notice', () => {
  const calls = fakeApi();
  const onPage: unknown[] = [];
  const notice = 'This is a demo. Nothing you entered was sent.';
  const shown = () => screen.getByRole('status').textContent;
  // Throws like that of in-app browsers.
  jest.spyOn(window, 'alert').mockImplementation((message) => {
    onPage.push([message, shown()]);
    throw new Error('Dialogs are not supported.');
  });
  const { navigations } = visit(DentalSavingsPage, '/offer-landing');
  const fields = screen.getAllByRole<HTMLInputElement>('textbox').map(({ labels }) => labels?.[0]?.textContent);
  expect(fields).toEqual(['Full name', 'Phone number', 'Email address', 'ZIP code']);
  const form = screen.getByRole('form');
  expect(form).toHaveAccessibleDescription('This form is a demo: nothing you enter is sent or saved.');
  // A press before the script is loaded sends nothing either.
  expect(form).toHaveAttribute('method', 'dialog');
  expect(shown()).toBe('');
  for (let presses = 0; presses < 2; presses += 1)
    fireEvent.click(screen.getByRole('button', { name: 'See plans near me' }));
  expect(onPage).toEqual(Array(2).fill([notice, notice]));
  expect([calls, navigations]).toEqual([[], []]);
});
