import path from 'node:path';
import { type Comparison, type Figure, interleave, type Round } from './comparison.ts';
import { measureLoad, measureScores } from './lighthouse.ts';
import type { Part } from './part.ts';
import { builtRelease, siteRoutes } from './site/routes.ts';
import { startMeasuredSite } from './site.ts';
import { buildSingleBundle, buildStockFederation, serveClientBuild } from './variants/client-builds.ts';
import { serveStaticPages } from './variants/static-pages.ts';

const names = { site: 'site', html: 'static HTML', bundle: 'single bundle', stock: 'stock federation' } as const;

const figures: readonly Figure[] = [
  { key: 'largestPaint', title: 'largest contentful paint in ms', digits: 0, baseline: names.html },
  { key: 'hydrated', title: 'hydrated in ms', digits: 0, baseline: names.bundle },
  { key: 'blocking', title: 'blocking until hydrated in ms', digits: 0, baseline: names.bundle },
  { key: 'script', title: 'script until hydrated in kB', digits: 1, baseline: names.bundle },
  { key: 'layoutShift', title: 'layout shift', digits: 3 },
];

/** The first visit of each page, in all forms of the site. */
export const measurePages: Part = async ({ started, folder, browser, rounds: count, routes: only, report }) => {
  const routes = siteRoutes(only);
  const chromium = await browser();
  const site = await startMeasuredSite(started, folder);
  report('building the single bundle and stock federation, saving the pages as static HTML');
  const variants = [
    { name: names.site, address: site.address },
    { name: names.html, address: await serveStaticPages(started, chromium, site.address, routes, folder) },
    { name: names.bundle, address: await serveClientBuild(started, path.join(folder, 'bundle'), buildSingleBundle) },
    { name: names.stock, address: await serveClientBuild(started, path.join(folder, 'stock'), buildStockFederation) },
  ];
  const cases: { name: string; rounds: readonly Round[] }[] = [];
  for (const [index, route] of routes.entries()) {
    // Stock federation starts alike on every page, and takes longest: one page tells how it compares.
    const contestants = index === 0 ? variants : variants.slice(0, 3);
    const rounds = await interleave(
      contestants,
      count,
      ({ address }) => measureLoad(chromium, address + route.address),
      (line) => report(`${route.path} (${index + 1} of ${routes.length}): ${line}`),
    );
    cases.push({ name: route.path, rounds });
  }
  const all = [{ name: 'all routes', rounds: cases.flatMap(({ rounds }) => rounds) }];
  const contestants = Object.values(names);
  const each: Comparison = { title: 'Each page', contestants: [names.site], figures, cases };
  return {
    comparisons: [
      { title: 'All pages', contestants: contestants.slice(0, 3), figures, cases: all },
      { title: 'First page', contestants, figures, cases: cases.slice(0, 1) },
      each,
    ],
    picture: { ...each, title: 'First visit of each page', figures: figures.slice(0, 3) },
    note: `Lighthouse, 4x CPU and Slow 4G throttling, medians of ${count} rounds. In brackets the ratio within a round: of the paint to static HTML, of the others to the single bundle.`,
  };
};

/** Lighthouse's scores of the pages that search engines may index. */
export const measureLighthouseScores: Part = async ({ started, folder, browser, rounds: count, routes, report }) => {
  const chromium = await browser();
  const site = await startMeasuredSite(started, folder);
  const isIndexed = ({ remote, path }: { readonly remote: string; readonly path: string }) =>
    !builtRelease(remote).routes.find((route) => route.path === path)?.noIndex;
  const cases: { name: string; rounds: readonly Round[] }[] = [];
  for (const { path: name, address } of siteRoutes(routes).filter(isIndexed)) {
    const measure = () => measureScores(chromium, site.address + address);
    const rounds = await interleave([{ name: names.site }], count, measure, (line) => report(`${name}: ${line}`));
    cases.push({ name, rounds });
  }
  const scores: Comparison = {
    title: 'Lighthouse, mobile',
    contestants: [names.site],
    figures: ['performance', 'accessibility', 'best-practices', 'seo'].map((key) => ({ key, title: key, digits: 0 })),
    cases,
  };
  return { comparisons: [scores], note: `Default settings, medians of ${count} runs.` };
};
