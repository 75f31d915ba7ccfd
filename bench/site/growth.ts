import { mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { siteRoutes } from '@daybook/testing/routes';
import { remoteOrigins, remotes } from '@daybook/testing/workspaces';
import { type Comparison, summarise } from '../comparison.ts';
import { residentMegabytes } from '../process-use.ts';
import { ratioPicture } from '../report/ratio-picture.ts';
import { comparisonTable } from '../report/table.ts';
import { interleave, type Sample } from '../rounds.ts';
import { median } from '../statistics.ts';
import { generateRemotes } from './generated-remotes.ts';
import { startMeasuredSite } from './measured-site.ts';
import type { AimResult, SitePart, SitePartContext } from './parts.ts';
import { load, withPhone } from './throttled-page.ts';
import { variantNames } from './variants/variant.ts';

interface Contestant {
  readonly name: string;
  /** `REMOTES` of its site. */
  readonly remotes: string;
}

/** How long an answer takes, to its end, in ms. */
async function timeAnswer(address: string): Promise<number> {
  const since = performance.now();
  const answer = await fetch(address, { headers: { 'accept-encoding': 'br' } });
  await answer.arrayBuffer();
  if (!answer.ok) throw new Error(`${address} answered ${answer.status}.`);
  return performance.now() - since;
}

/** Starts a site of its own, looks at it, and stops it. */
async function measureSite({ browser, folder }: SitePartContext, { remotes: origins }: Contestant): Promise<Sample> {
  const releasesFolder = mkdtempSync(path.join(folder, 'releases-'));
  const since = performance.now();
  const site = await startMeasuredSite({ folder, remotes: origins, releasesFolder });
  try {
    const mirrored = performance.now() - since;
    // Makes the connection, and warms up what all answers have in common.
    await timeAnswer(`${site.address}/healthz`);
    const pages = siteRoutes().map(({ path: page }) => site.address + page);
    const first: number[] = [];
    const again: number[] = [];
    for (const page of pages) first.push(await timeAnswer(page));
    for (const page of pages) again.push(await timeAnswer(page));
    const variant = { name: variantNames.site, address: site.address, hydrates: true };
    const landing = await withPhone(browser, (page) => load(page, variant, `${site.address}/`), {
      fast: true,
      savesData: true,
    });
    const html = await fetch(`${site.address}/`, { headers: { 'accept-encoding': 'br' } });
    await html.arrayBuffer();
    const memory = residentMegabytes(site.pid);
    return {
      html: Number(html.headers.get('content-length')) / 1000,
      script: landing.scriptBytes / 1000,
      requests: landing.requests,
      compose: median(first) - median(again),
      answer: median(again),
      mirrored: mirrored / 1000,
      ...(memory === undefined ? {} : { memory }),
    };
  } finally {
    await site.stop();
    rmSync(releasesFolder, { recursive: true });
  }
}

/** What one more remote adds to the landing page's script. */
function scriptAim({ cases, contestants, baseline }: Comparison): AimResult {
  const rounds = cases[0]?.rounds ?? [];
  const scriptOf = (name: string) => (summarise(rounds, name, 'script', baseline)?.value ?? Number.NaN) * 1000;
  const most = contestants.at(-1) ?? baseline;
  const added = scriptOf(most) - scriptOf(baseline);
  return {
    figure: 'what one more remote adds to the landing page',
    aim: '0 bytes of script',
    measured: `${added.toFixed(0)} bytes of script, from ${baseline} to ${most}`,
    met: added === 0,
  };
}

/** What more remotes cost: the landing page's bytes, and the server's memory and time. */
export const measureGrowth: SitePart = async (context) => {
  const { effort, folder, report } = context;
  report('Generating small remotes …');
  const generated = await generateRemotes(folder, Math.max(...effort.remotes) - remotes.length);
  const contestants: readonly Contestant[] = effort.remotes.map((count) => ({
    name: `${count} remotes`,
    remotes: [remoteOrigins(), ...generated.slice(0, count - remotes.length)].join(','),
  }));
  const rounds = await interleave(
    contestants,
    effort.rounds,
    (contestant) => measureSite(context, contestant),
    (done) => report(`round ${done} of ${effort.rounds}`),
  );
  const baseline = contestants[0]?.name ?? '';
  const comparison: Comparison = {
    title: `Growth: ratio to ${baseline}`,
    contestants: contestants.map(({ name }) => name),
    baseline,
    figures: [
      { key: 'html', title: 'HTML of /, kB', digits: 2 },
      { key: 'script', title: 'script of /, kB', digits: 1 },
      { key: 'requests', title: 'requests of /', digits: 0 },
      { key: 'memory', title: 'memory of the server in MB', digits: 0 },
      { key: 'compose', title: 'making a page in ms', digits: 1 },
      { key: 'answer', title: 'the same page again in ms', digits: 1 },
      { key: 'mirrored', title: 'start to all mirrored in s', digits: 2 },
    ],
    cases: [{ name: 'site', rounds }],
  };
  return [
    {
      name: 'growth',
      text: `${comparisonTable(comparison)}\n\nMedians of ${effort.rounds} rounds, in brackets the ratio to ${baseline}; HTML and script compressed.`,
      caption: `The same figures as ratios to ${baseline}, with the lowest and highest of all rounds`,
      picture: ratioPicture(comparison),
      data: { effort, aims: [scriptAim(comparison)], comparison },
    },
  ];
};
