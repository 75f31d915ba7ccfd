import { defaultSiteSettings } from '@daybook/contract/site';
import { expect, test } from '@jest/globals';
import { render, screen, within } from '@testing-library/react';
import { axe } from 'jest-axe';
import { GuideDownload } from './ebook-download.tsx';

const guide = {
  url: '/remotes/mf-offers/1/senior-savings-guide.0123abcd.pdf',
  title: 'The Senior Savings Guide',
  subtitle: 'How to find up to $5,000 a year in savings and benefits, one call at a time.',
  pages: 23,
  bytes: 190_440,
  topics: ['Medicare costs', 'Food', 'Taxes'],
};

test('the download page links to the guide and to the bonus, and names the visitor', async () => {
  const page = (email?: string) => (
    <main>
      <GuideDownload guide={guide} email={email} />
    </main>
  );
  const { container, rerender } = render(page());
  const download = screen.getByRole('link', { name: 'Download the free guide' });
  expect(download).toHaveAttribute('href', guide.url);
  expect(download).toHaveAttribute('download', 'senior-savings-guide.pdf');
  expect(screen.getByText('PDF, 23 pages, 191 kB')).toBeVisible();
  expect(container).toHaveTextContent('Savings of up to $5,000 a year');
  const topics = within(screen.getByRole('region', { name: 'What’s inside' })).getAllByRole('listitem');
  expect(topics.map(({ textContent }) => textContent)).toEqual(guide.topics);
  const bonus = within(screen.getByRole('region', { name: 'Bonus: the housing guide' }));
  expect(bonus.getByText('Sponsored')).toBeVisible();
  const link = bonus.getByRole('link', { name: 'Get the bonus housing guide' });
  expect(link).toHaveAttribute('href', defaultSiteSettings.housingGuideAddress);
  expect(link).toHaveAttribute('target', '_blank');
  expect(link).toHaveAttribute('rel', 'noopener noreferrer sponsored');
  expect(screen.queryByText(/Guide for:/)).toBeNull();
  rerender(page('reader@example.com'));
  expect(screen.getByText(/^Guide for:/)).toHaveTextContent('Guide for: reader@example.com');
  expect((await axe(container)).violations).toEqual([]);
});
