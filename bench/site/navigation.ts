import { siteRoutes } from '@daybook/testing/routes';
import type { Page } from 'playwright';
import { type Comparison, summarise } from '../comparison.ts';
import { countDown } from '../progress.ts';
import { ratioPicture } from '../report/ratio-picture.ts';
import { comparisonTable } from '../report/table.ts';
import { interleave, type Sample } from '../rounds.ts';
import { median } from '../statistics.ts';
import { installInteractionProbe, type Reaction } from './interaction-probe.ts';
import { startMeasuredSite } from './measured-site.ts';
import type { AimResult, SitePart } from './parts.ts';
import { load, untilNetworkIsQuiet, withPhone } from './throttled-page.ts';
import { serveSingleBundle } from './variants/client-variants.ts';
import { type Variant, variantNames } from './variants/variant.ts';

/** Ways between pages of different remotes, all by links in the footer, which is out of sight at first. */
const ways = [
  { from: '/', to: '/terms' },
  { from: '/terms', to: '/unsubscribe' },
] as const;

/** What is typed into the dialog's field. */
const typed = 'reader@example.com';

/** The click after which a page is there by this many ms feels immediate. */
const mostPrefetched = 50;

interface Contestant {
  readonly name: string;
  readonly variant: Variant;
  /** Whether the visitor points at the link for a while before the click. */
  readonly pointsFirst: boolean;
  /** At this machine's own speed. */
  readonly fast?: boolean;
}

const names = {
  prefetched: 'site, prefetched',
  unprefetched: 'site, not prefetched',
  fast: 'site, prefetched, at full speed',
} as const;

/** Begins to time a reaction; `act` causes it. */
async function timed(page: Page, type: 'click' | 'keydown', reaction: Reaction, act: () => Promise<void>) {
  const painted = page.evaluate(
    ([of, what]) => {
      // The promise itself would be waited for; it is asked for when the input has been made.
      (window as { painted?: Promise<number> }).painted = window.interactionProbe.untilPainted(of, what);
    },
    [type, reaction] as const,
  );
  await painted;
  await act();
  return page.evaluate(() => (window as { painted?: Promise<number> }).painted ?? Number.NaN);
}

async function navigate(page: Page, { variant, pointsFirst }: Contestant, { from, to }: (typeof ways)[number]) {
  await load(page, variant, variant.address + from);
  const link = page.locator(`footer a[href="${to}"]`).first();
  if (!pointsFirst) {
    return timed(page, 'click', 'another page', () => link.evaluate((element: HTMLElement) => element.click()));
  }
  await untilNetworkIsQuiet(page, () => link.hover());
  return timed(page, 'click', 'another page', () => link.click());
}

/** Opens the signup dialog and types into it. */
async function fillIn(page: Page, { variant, pointsFirst }: Contestant): Promise<Sample> {
  await load(page, variant, `${variant.address}/`);
  const button = page
    .getByRole('main')
    .getByRole('button', { name: /subscribe/i })
    .first();
  if (pointsFirst) await untilNetworkIsQuiet(page, () => button.hover());
  const dialog = await timed(page, 'click', 'a dialog', () => button.click());
  const field = page.getByRole('dialog').getByRole('textbox').first();
  await field.focus();
  const letters: number[] = [];
  for (const letter of typed) {
    letters.push(await timed(page, 'keydown', 'a letter', () => page.keyboard.press(letter)));
  }
  return { dialog, letter: median(letters), slowestLetter: Math.max(...letters) };
}

function prefetchAim({ cases }: Comparison): AimResult {
  const slowestOf = (contestant: string) =>
    cases
      .map(({ name, rounds }) => ({
        name,
        value: summarise(rounds, contestant, 'painted', contestant)?.value ?? Number.NaN,
      }))
      .reduce((most, each) => (each.value > most.value ? each : most));
  const slowest = slowestOf(names.prefetched);
  return {
    figure: 'navigation to another remote, prefetched',
    aim: `≤ ${mostPrefetched} ms click to painted`,
    measured: `4x CPU: at most ${slowest.value.toFixed(0)} ms (${slowest.name}); full speed: ${slowestOf(names.fast).value.toFixed(0)} ms`,
    met: slowest.value <= mostPrefetched,
  };
}

/** Moving between pages of different remotes, and the input delay of the signup dialog. */
export const measureNavigation: SitePart = async ({ started, folder, browser, effort, report }) => {
  const running = await startMeasuredSite({ folder });
  started.defer(() => running.stop());
  const site: Variant = { name: variantNames.site, address: running.address, hydrates: true };
  report('Building the single bundle …');
  const single = await serveSingleBundle({ started, folder, site: site.address, routes: siteRoutes() });
  const prefetched = { name: names.prefetched, variant: site, pointsFirst: true };
  const contestants: readonly Contestant[] = [
    prefetched,
    { name: names.unprefetched, variant: site, pointsFirst: false },
    { ...prefetched, name: names.fast, fast: true },
    { name: single.name, variant: single, pointsFirst: true },
  ];
  const left = countDown(ways.length + 1);
  const visit = (contestant: Contestant, use: (page: Page) => Promise<Sample>) =>
    withPhone(
      browser,
      async (page) => {
        await page.addInitScript(installInteractionProbe);
        return use(page);
      },
      { savesData: !contestant.pointsFirst, fast: contestant.fast ?? false },
    );
  const cases: Comparison['cases'][number][] = [];
  for (const way of ways) {
    const name = `${way.from} to ${way.to}`;
    const rounds = await interleave(contestants, effort.rounds, (contestant) =>
      visit(contestant, async (page) => ({ painted: await navigate(page, contestant, way) })),
    );
    cases.push({ name, rounds });
    report(`${name} (${left()})`);
  }
  const navigation: Comparison = {
    title: 'Navigation to a page of another remote',
    contestants: contestants.map(({ name }) => name),
    baseline: single.name,
    figures: [{ key: 'painted', title: 'click to painted in ms', digits: 0 }],
    cases,
  };
  const dialog: Comparison = {
    title: 'The signup dialog',
    contestants: contestants.map(({ name }) => name),
    baseline: single.name,
    figures: [
      { key: 'dialog', title: 'opened in ms', digits: 0 },
      { key: 'letter', title: 'a letter in ms', digits: 0 },
      { key: 'slowestLetter', title: 'the slowest letter in ms', digits: 0 },
    ],
    cases: [
      {
        name: 'signup dialog',
        rounds: await interleave(contestants, effort.rounds, (contestant) =>
          visit(contestant, (page) => fillIn(page, contestant)),
        ),
      },
    ],
  };
  report(`the signup dialog (${left()})`);
  const explained = `Medians of ${effort.rounds} rounds, in brackets the ratio to the single bundle.`;
  return [
    {
      name: 'navigation',
      text: `${comparisonTable(navigation)}\n\n${comparisonTable(dialog)}\n\n${explained}`,
      caption: 'Click to painted as ratios to the single bundle, with the lowest and highest of all rounds',
      picture: ratioPicture(navigation),
      data: { effort, aims: [prefetchAim(navigation)], navigation, dialog },
    },
  ];
};
