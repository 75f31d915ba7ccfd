import path from 'node:path';
import { siteRoutes } from '@daybook/testing/routes';
import { measureClick, measureLoad } from './browser.ts';
import { type Figure, measureCases, mediansOf } from './comparison.ts';
import { type Part, startMeasuredSite } from './site.ts';
import { serveSingleBundle } from './variants/single-bundle.ts';
import { serveStaticPages } from './variants/static-site.ts';

const names = { site: 'site', html: 'static HTML', bundle: 'single bundle' } as const;

const pageFigures: readonly Figure[] = [
  { key: 'largestPaint', title: 'largest contentful paint in ms', digits: 0, baseline: names.html },
  { key: 'hydrated', title: 'hydrated in ms', digits: 0, baseline: names.bundle },
  { key: 'blocking', title: 'blocking until hydrated in ms', digits: 0, baseline: names.bundle },
  { key: 'script', title: 'script until hydrated in kB', digits: 1, baseline: names.bundle },
  { key: 'layoutShift', title: 'layout shift', digits: 3 },
];

/** Measures the first visit of each page, in all variants of the site. */
export const measurePages: Part = async (context) => {
  const { started, folder, browser, routes: only, report } = context;
  const routes = siteRoutes(only);
  const chromium = await browser();
  const { url: site } = await startMeasuredSite(started, folder);
  report('building the single bundle');
  const variants = [
    { name: names.site, url: site },
    { name: names.html, url: await serveStaticPages(started, path.join(folder, 'static'), site, routes) },
    { name: names.bundle, url: await serveSingleBundle(started, path.join(folder, 'bundle')) },
  ];
  const ofRoutes = Object.fromEntries(
    routes.map((route) => [route.path, variants.map((each) => ({ ...each, url: each.url + route.url }))]),
  );
  const cases = await measureCases(ofRoutes, context, ({ url }) => measureLoad(chromium, url));
  const common = { contestants: Object.values(names), figures: pageFigures };
  const [first = ''] = Object.keys(cases);
  return {
    comparisons: [
      {
        ...common,
        title: 'All pages',
        cases: { [routes.length === 1 ? '1 page' : `${routes.length} pages`]: Object.values(cases).flat() },
      },
      { ...common, title: 'First page', cases: { [first]: cases[first] ?? [] } },
      { ...common, title: 'Each page', contestants: [names.site], cases },
    ],
    note: `4x CPU and Slow 4G throttling, ${mediansOf(context.rounds)}; in brackets the ratio of the paint to static HTML, of the others to the single bundle.`,
  };
};

/** Footer links, initially outside the viewport, to a page of another remote; and the button of the signup dialog. */
const clicks = [
  { name: '/ to /terms', page: '/', selector: 'footer a[href="/terms"]' },
  { name: '/terms to /unsubscribe', page: '/terms', selector: 'footer a[href="/unsubscribe"]' },
  { name: 'signup dialog', page: '/', selector: 'main button[aria-haspopup="dialog"]' },
] as const;

export const measureNavigation: Part = async (context) => {
  const { started, folder, browser, report } = context;
  const chromium = await browser();
  const { url } = await startMeasuredSite(started, folder);
  report('building the single bundle');
  const single = await serveSingleBundle(started, path.join(folder, 'bundle'));
  const contestants = [
    { name: 'site, prefetched', url, prefetches: true },
    { name: 'site, not prefetched', url, prefetches: false },
    { name: names.bundle, url: single, prefetches: true },
  ];
  const ofClicks = Object.fromEntries(
    clicks.map(({ name, page, selector }) => [
      name,
      contestants.map((each) => ({ ...each, url: each.url + page, selector })),
    ]),
  );
  const cases = await measureCases(ofClicks, context, ({ url, selector, prefetches }) =>
    measureClick(chromium, url, selector, prefetches),
  );
  const figures = [
    { key: 'reaction', title: 'click to painted in ms', digits: 0 },
    { key: 'nextPaint', title: 'interaction to next paint in ms', digits: 0 },
  ];
  const participants = { contestants: contestants.map(({ name }) => name), baseline: names.bundle };
  return {
    comparisons: [{ title: 'Navigation', ...participants, figures, cases }],
    note: `4x CPU and Slow 4G throttling, ${mediansOf(context.rounds)}; in brackets the ratio to the ${names.bundle}.`,
  };
};
