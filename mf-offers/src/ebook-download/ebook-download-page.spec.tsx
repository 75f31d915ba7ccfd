import { defaultSiteSettings } from '@daybook/contract/site';
import { expect, test } from '@jest/globals';
import { render, screen, within } from '@testing-library/react';
import { axe } from 'jest-axe';
import { GuideDownload } from './ebook-download-page.tsx';

const guide = {
  address: '/remotes/mf-offers/1/senior-savings-guide.0123abcd.pdf',
  title: 'The Senior Savings Guide',
  subtitle: 'How to find up to $5,000 a year in savings and benefits, one call at a time.',
  pages: 23,
  bytes: 190_440,
  topics: ['Medicare costs', 'Food', 'Taxes'],
  firstTopicNumber: 3,
};
const show = (email?: string) => render(<main>{<GuideDownload guide={guide} email={email} />}</main>);

test('the download page links to the guide, and states its size in whole kilobytes and its topics', () => {
  show();
  const link = screen.getByRole('link', { name: 'Download the free guide' });
  expect(link).toHaveAttribute('href', guide.address);
  expect(link).toHaveAttribute('download', 'senior-savings-guide.pdf');
  expect(screen.getByText('PDF, 23 pages, 191 kB')).toBeVisible();
  expect(screen.getByRole('main')).toHaveTextContent('up to $5,000 a year');
  const inside = within(screen.getByRole('region', { name: 'What’s inside' }));
  const topics = inside.getAllByRole<HTMLLIElement>('listitem');
  expect(topics.map(({ value, textContent }) => [value, textContent])).toEqual([
    [3, 'Medicare costs'],
    [4, 'Food'],
    [5, 'Taxes'],
  ]);
});

test('the download page names the visitor once known', async () => {
  const { unmount } = show();
  expect(screen.queryByText(/Guide for:/)).toBeNull();
  unmount();
  const { container } = show('reader@example.com');
  expect(screen.getByText(/^Guide for:/)).toHaveTextContent('Guide for: reader@example.com');
  expect((await axe(container)).violations).toEqual([]);
});

test('the download page links to the bonus housing guide as sponsored, in a new tab', () => {
  show();
  const bonus = within(screen.getByRole('region', { name: 'Bonus: the housing guide' }));
  expect(bonus.getByText('Sponsored')).toBeVisible();
  const link = bonus.getByRole('link', { name: 'Get the bonus housing guide' });
  expect(link).toHaveAttribute('href', defaultSiteSettings.housingGuideAddress);
  expect(link).toHaveAttribute('target', '_blank');
  expect(link).toHaveAttribute('rel', 'noopener noreferrer sponsored');
});
