import { type SiteRoute, siteRoutes } from '@daybook/testing/routes';
import type { Browser } from 'playwright';
import type { Comparison } from '../comparison.ts';
import { countDown } from '../progress.ts';
import { ratioPicture } from '../report/ratio-picture.ts';
import { comparisonTable } from '../report/table.ts';
import { interleave, type Round, type Sample } from '../rounds.ts';
import { startMeasuredSite } from './measured-site.ts';
import { pageAims } from './page-aims.ts';
import { bothVisits, pageFigures, pageSample, roundsOf, type Visit } from './page-figures.ts';
import type { SitePart, SitePartContext } from './parts.ts';
import { load, withPhone } from './throttled-page.ts';
import { serveSingleBundle, serveStockFederation } from './variants/client-variants.ts';
import { serveStaticPages } from './variants/static-pages.ts';
import { type Variant, variantNames } from './variants/variant.ts';

/** Builds what the site is compared with, and starts all of it. */
async function startVariants(
  { started, folder, browser, report }: SitePartContext,
  routes: readonly SiteRoute[],
): Promise<readonly Variant[]> {
  const running = await startMeasuredSite({ folder });
  started.defer(() => running.stop());
  const site: Variant = { name: variantNames.site, address: running.address, hydrates: true };
  const options = { started, folder, site: site.address, routes };
  report('Saving the pages as static HTML …');
  const staticPages = await serveStaticPages(started, browser, site, routes, folder);
  report('Building the single bundle …');
  const singleBundle = await serveSingleBundle(options);
  report('Building host and remotes with stock Module Federation …');
  return [site, staticPages, singleBundle, await serveStockFederation(options)];
}

/** One visitor's first visit of a page, and the second. */
async function visitTwice(browser: Browser, variant: Variant, { address }: SiteRoute): Promise<Sample> {
  return withPhone(browser, async (page) => {
    const cold = await load(page, variant, variant.address + address);
    await page.goto('about:blank');
    const warm = await load(page, variant, variant.address + address);
    return bothVisits({ cold: pageSample(cold), warm: pageSample(warm) });
  });
}

/** Page load of each route, in all forms of the site, with a cold and a warm cache. */
export const measurePages: SitePart = async (context) => {
  const { browser, effort, report } = context;
  const routes = siteRoutes(effort.routes);
  const variants = await startVariants(context, routes);
  const left = countDown(routes.length);
  const measured: { readonly name: string; readonly rounds: readonly Round[] }[] = [];
  for (const [index, route] of routes.entries()) {
    const rounds = await interleave(variants, effort.rounds, (variant) => visitTwice(browser, variant, route));
    measured.push({ name: route.path, rounds });
    report(`${index + 1} of ${routes.length} routes: ${route.path} (${left()})`);
  }
  const ofVisit = (visit: Visit) => measured.map(({ name, rounds }) => ({ name, rounds: roundsOf(rounds, visit) }));
  const [cold, warm] = [ofVisit('cold'), ofVisit('warm')];
  const comparison = {
    contestants: variants.map(({ name }) => name),
    baseline: variantNames.staticPages,
    figures: pageFigures,
  };
  const together = (name: string, cases: Comparison['cases']) => ({
    name,
    rounds: cases.flatMap(({ rounds }) => rounds),
  });
  const all: Comparison = {
    ...comparison,
    title: 'Page load',
    cases: [together('cold', cold), together('warm', warm)],
  };
  const each: Comparison = { ...comparison, title: 'Page load, cold cache', cases: cold };
  const inPicture = ['largestPaint', 'hydrated'];
  const text = [
    'All routes together:',
    comparisonTable(all),
    'Each page of the site, cold cache:',
    comparisonTable(each, [variantNames.site]),
    `Medians of ${effort.rounds} rounds; in brackets the ratio to the static page, for *hydrated* and script to the single bundle.`,
  ].join('\n\n');
  return [
    {
      name: 'pages',
      text,
      caption: 'Largest contentful paint and time to hydrated of each route as ratios, with lowest and highest',
      picture: ratioPicture({ ...each, figures: pageFigures.filter(({ key }) => inPicture.includes(key)) }),
      data: { effort, aims: pageAims(cold, warm), cold: each, warm: { ...each, cases: warm } },
    },
  ];
};
