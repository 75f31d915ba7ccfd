import path from 'node:path';
import { interleave, type Round } from './comparison.ts';
import { measureClick } from './lighthouse.ts';
import { type Part, startMeasuredSite } from './site.ts';
import { buildSingleBundle, serveClientBuild } from './variants/client-builds.ts';

const bundle = 'single bundle';

/** Clicks: links in the footer, out of sight at first, that lead to a page of another remote, and the signup dialog. */
const clicks = [
  { name: '/ to /terms', page: '/', selector: 'footer a[href="/terms"]' },
  { name: '/terms to /unsubscribe', page: '/terms', selector: 'footer a[href="/unsubscribe"]' },
  { name: 'signup dialog', page: '/', selector: 'main ::-p-aria(Subscribe for free)' },
] as const;

/** From a click to the other page or the dialog. */
export const measureNavigation: Part = async ({ started, folder, browser, rounds: count, report }) => {
  const chromium = await browser();
  const { address } = await startMeasuredSite(started, folder);
  report('building the single bundle');
  const single = await serveClientBuild(started, path.join(folder, 'bundle'), buildSingleBundle);
  const contestants = [
    { name: 'site, prefetched', address, prefetches: true },
    { name: 'site, not prefetched', address, prefetches: false },
    { name: bundle, address: single, prefetches: true },
  ];
  const cases: Record<string, readonly Round[]> = {};
  for (const { name, page, selector } of clicks)
    cases[name] = await interleave(
      contestants,
      count,
      (contestant) => measureClick(chromium, contestant.address + page, selector, contestant.prefetches),
      (line) => report(`${name}: ${line}`),
    );
  const comparison = {
    title: 'Navigation',
    contestants: contestants.map(({ name }) => name),
    baseline: bundle,
    figures: [
      { key: 'reaction', title: 'click to painted in ms', digits: 0 },
      { key: 'nextPaint', title: 'interaction to next paint in ms', digits: 0 },
    ],
    cases,
  };
  const note = `4x CPU and Slow 4G throttling, medians of ${count} rounds; in brackets the ratio to the ${bundle}.`;
  return { comparisons: [comparison], note };
};
