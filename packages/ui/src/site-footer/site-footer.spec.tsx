import { site } from '@daybook/contract';
import { expect, test } from '@jest/globals';
import { render, screen } from '@testing-library/react';
import { axe } from 'jest-axe';
import { SiteFooter } from './site-footer.tsx';

test('links to every page that the product document names', async () => {
  const { container } = render(<SiteFooter supportAddress="help@example.com" />);
  const addresses = screen.getAllByRole('link').map((link) => link.getAttribute('href'));
  expect(addresses.toSorted()).toEqual(
    [
      '/',
      '/#features',
      '/unsubscribe',
      '/terms',
      '/privacy-policy',
      '/cookie-policy',
      '/e-consent',
      '/california-privacy-notice',
      '/ca-unsubscribe',
      '/privacy-rights-request',
      '/profiling-opt-out',
      '/targeted-opt-out',
      '/limit-sensitive-info',
      '/accessible-view',
      'mailto:help@example.com',
    ].toSorted(),
  );
  expect((await axe(container)).violations).toEqual([]);
});

test('names who publishes this', () => {
  render(<SiteFooter supportAddress="help@example.com" />);
  expect(screen.getByRole('contentinfo')).toHaveTextContent(`© ${site.publisher}`);
});
