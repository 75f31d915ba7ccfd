import { defaultSiteSettings } from '@daybook/contract/site';
import { expect, test } from '@jest/globals';
import { screen, within } from '@testing-library/react';
import { guideFacts } from '../ebook-download/guide-facts.ts';
import { prerender } from '../testing/visit.tsx';
import EbookDownloadPage from './ebook-download.tsx';

test('the download page links to the guide and to the bonus, and names the visitor', () => {
  const { container, arriveAt } = prerender(EbookDownloadPage);
  const download = screen.getByRole('link', { name: 'Download the free guide' });
  expect(download).toHaveAttribute('download', 'senior-savings-guide.pdf');
  expect(screen.getByText(new RegExp(`^PDF, ${guideFacts.pages} pages, \\d+ kB$`))).toBeVisible();
  expect(container).toHaveTextContent('Savings of up to $5,000 a year');
  const topics = within(screen.getByRole('region', { name: 'What’s inside' })).getAllByRole('listitem');
  expect(topics.map(({ textContent }) => textContent)).toEqual(guideFacts.topics);
  const bonus = within(screen.getByRole('region', { name: 'Bonus: the housing guide' }));
  expect(bonus.getByText('Sponsored')).toBeVisible();
  const link = bonus.getByRole('link', { name: 'Get the bonus housing guide' });
  expect(link).toHaveAttribute('href', defaultSiteSettings.housingGuideAddress);
  expect(link).toHaveAttribute('target', '_blank');
  expect(link).toHaveAttribute('rel', 'noopener noreferrer sponsored');
  expect(screen.queryByText(/Guide for:/)).toBeNull();
  arriveAt('/ebook-download?email=reader+tag@example.com');
  expect(screen.getByText(/^Guide for:/)).toHaveTextContent('Guide for: reader+tag@example.com');
});
