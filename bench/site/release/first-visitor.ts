import { mkdtempSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { releaseFileAddress, releaseFileName, releaseSchema } from '@daybook/contract';
import { PlainLoad } from '@daybook/testing/plain-load';
import { findFreePort } from '@daybook/testing/ports';
import { copyRelease, writeNextRelease } from '@daybook/testing/releases';
import { remoteOrigins, root } from '@daybook/testing/workspaces';
import type { Candidate } from '../../../scripts/release/candidate.ts';
import { publish } from '../../../scripts/release/publish.ts';
import { type Comparison, summarise } from '../../comparison.ts';
import { ratioPicture } from '../../report/ratio-picture.ts';
import { comparisonTable } from '../../report/table.ts';
import { interleave, type Round, type Sample } from '../../rounds.ts';
import { startMeasuredSite } from '../measured-site.ts';
import type { AimResult, SitePartContext, SiteReport } from '../parts.ts';

const remote = 'mf-legal';
const page = '/terms';

/** The shell server's default: it asks origins for new releases this often, in seconds. */
const pollInterval = 3;

/** A release that visitors don't get within this many ms is not taken over at all. */
const limit = 30_000;

const names = { idle: 'without load', loaded: 'under load', restart: 'by a restart, under load' } as const;

/** A site with an origin that releases are published to. */
class ReleasedSite {
  readonly #folder: string;
  readonly #origin: string;
  #port = 0;
  #site: Awaited<ReturnType<typeof startMeasuredSite>> | undefined;

  constructor(parent: string) {
    this.#folder = mkdtempSync(path.join(parent, 'released-'));
    this.#origin = path.join(this.#folder, 'origin');
    copyRelease(remote, this.#origin);
  }

  get address(): string {
    return this.#site?.address ?? '';
  }

  async start(): Promise<void> {
    this.#port ||= await findFreePort();
    this.#site = await startMeasuredSite({
      folder: this.#folder,
      port: this.#port,
      releasesFolder: path.join(this.#folder, 'releases'),
      remotes: remoteOrigins((name) => (name === remote ? this.#origin : path.join(root, name, 'dist'))),
    });
  }

  async stop(): Promise<void> {
    await this.#site?.stop();
  }

  async publish(candidate: Candidate): Promise<void> {
    await publish(candidate, this.#origin, new AbortController().signal);
  }

  /** Looks at the page as visitors do, until it is of the release. */
  async untilServed({ release }: Candidate): Promise<void> {
    const files = releaseFileAddress(release, '');
    const end = Date.now() + limit;
    for (;;) {
      const html = await fetch(this.address + page).then(
        (answer) => answer.text(),
        () => '',
      );
      if (html.includes(files)) return;
      if (Date.now() > end) throw new Error(`${remote}@${release.version} is not served after ${limit / 1000} s.`);
      await delay(10);
    }
  }
}

let releases = 0;

/** A build of the remote under a version of its own. */
function makeCandidate(parent: string): Candidate {
  releases += 1;
  const folder = mkdtempSync(path.join(parent, 'candidate-'));
  copyRelease(remote, folder);
  writeNextRelease(folder, `9.0.${releases}-${releases.toString(16).padStart(8, '0')}`);
  const text = readFileSync(path.join(folder, releaseFileName), 'utf8');
  return { folder, release: releaseSchema.parse(JSON.parse(text)), text };
}

/** Publishes a release, and counts the seconds until a visitor gets it, and the requests that failed meanwhile. */
async function release(site: ReleasedSite, candidate: Candidate, contestant: string): Promise<Sample> {
  const load = contestant === names.idle ? undefined : new PlainLoad(site.address, ['/', page, '/unsubscribe']);
  const since = performance.now();
  await site.publish(candidate);
  if (contestant === names.restart) {
    await site.stop();
    await site.start();
  }
  await site.untilServed(candidate);
  const seconds = (performance.now() - since) / 1000;
  await load?.stop();
  return { seconds, failed: load?.failures.length ?? 0, ...(load ? { requests: load.requests } : {}) };
}

function firstVisitorAim(rounds: readonly Round[]): AimResult {
  const most = pollInterval + 1;
  const { value = Number.NaN } = summarise(rounds, names.loaded, 'seconds', names.loaded) ?? {};
  const failed = rounds.reduce(
    (sum, round) => sum + (round[names.idle]?.failed ?? 0) + (round[names.loaded]?.failed ?? 0),
    0,
  );
  return {
    figure: 'release to first visitor, under load',
    aim: `≤ poll interval + 1 s (${most} s), no failed request`,
    measured: `${value.toFixed(1)} s, ${failed} failed`,
    met: value <= most && failed === 0,
  };
}

/** Seconds from a finished build to the first visitor who gets it. */
export async function measureFirstVisitor({ started, folder, effort, report }: SitePartContext): Promise<SiteReport> {
  const [polling, restarted] = [new ReleasedSite(folder), new ReleasedSite(folder)];
  for (const site of [polling, restarted]) {
    await site.start();
    started.defer(() => site.stop());
  }
  const contestants = [
    { name: names.idle, site: polling },
    { name: names.loaded, site: polling },
    { name: names.restart, site: restarted },
  ];
  const rounds = await interleave(
    contestants,
    effort.rounds,
    ({ name, site }) => release(site, makeCandidate(folder), name),
    (done) => report(`release to first visitor: round ${done} of ${effort.rounds}`),
  );
  const comparison: Comparison = {
    title: 'From a finished build to the first visitor',
    contestants: contestants.map(({ name }) => name),
    baseline: names.restart,
    figures: [
      { key: 'seconds', title: 'seconds to the first visitor', digits: 2 },
      { key: 'failed', title: 'failed requests', digits: 0 },
      { key: 'requests', title: 'requests meanwhile', digits: 0 },
    ],
    cases: [{ name: `${remote} is released`, rounds }],
  };
  return {
    name: 'release',
    text: `${comparisonTable(comparison)}\n\nMedians of ${effort.rounds} rounds, in brackets the ratio to a restart of the shell server.`,
    caption: 'The same figures as ratios to a restart, with the lowest and highest of all rounds',
    picture: ratioPicture({ ...comparison, figures: comparison.figures.slice(0, 1) }),
    data: { effort, aims: [firstVisitorAim(rounds)], comparison },
  };
}
