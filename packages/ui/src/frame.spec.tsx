import { site } from '@daybook/contract/site';
import { describe, expect, test } from '@jest/globals';
import { render, screen } from '@testing-library/react';
import { axe } from 'jest-axe';
import { PrivacyHeader, SiteFooter, SiteHeader } from './frame.tsx';

describe('SiteHeader', () => {
  test('shows only the logo', async () => {
    const { container } = render(<SiteHeader />);
    expect(screen.getByRole('banner')).toContainElement(screen.getByRole('link', { name: 'Daybook, home' }));
    expect(screen.getAllByRole('link')).toHaveLength(1);
    expect((await axe(container)).violations).toEqual([]);
  });
});

describe('PrivacyHeader', () => {
  test('links home by its logo and by a link', async () => {
    const { container } = render(<PrivacyHeader />);
    expect(screen.getByRole('link', { name: 'Daybook, home' })).toHaveAttribute('href', '/');
    expect(screen.getByRole('link', { name: 'Back to Home' })).toHaveAttribute('href', '/');
    expect((await axe(container)).violations).toEqual([]);
  });
});

describe('SiteFooter', () => {
  test('links to every page required by docs/product.md', async () => {
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

  test('names the publisher', () => {
    render(<SiteFooter supportAddress="help@example.com" />);
    expect(screen.getByRole('contentinfo')).toHaveTextContent(`© ${site.publisher}`);
  });
});
