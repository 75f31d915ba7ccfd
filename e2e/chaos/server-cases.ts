import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { variantOf } from '@daybook/testing/releases';
import type { ChaosRun } from './chaos-run.ts';
import { ChaosSite, until } from './chaos-site.ts';
import { chaosVersion } from './chaos-version.ts';
import type { ChaosCase } from './origin-cases.ts';
import { othersWork, shownOn, Visitor } from './visitor.ts';

/** How often the server is killed. */
const kills = 30;

/** A small generator of numbers from 0 to 1, so that a run can be repeated. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** A site of its own for cases that break the server or start without an origin. */
async function withOwnSite<Value>(
  run: ChaosRun,
  use: (site: ChaosSite) => Promise<Value>,
  folder?: string,
): Promise<Value> {
  const site = new ChaosSite([...run.site.origins.keys()], folder);
  await site.startOrigins();
  try {
    return await use(site);
  } finally {
    await site.stop();
  }
}

const isMounted = (folder: string, size: number) => {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', folder], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

export const serverCases: readonly ChaosCase[] = [
  {
    name: 'origin down before first start',
    run: (run) =>
      withOwnSite(run, async (site) => {
        await site.origin(run.remote).stop();
        await site.startServer();
        const visitor = await Visitor.arrive(run.browser, site);
        const { kind, release } = await visitor.open(run.path);
        if (kind !== 'fallback' || release !== run.remote) throw new Error(`showed ${kind} ${release}`);
        await othersWork(run.browser, site, run.remote);
        await site.origin(run.remote).start();
        await until(`${run.remote} is there`, async () => (await site.activeVersion(run.remote)) !== undefined);
        await visitor.page.getByRole('button', { name: 'Try again' }).click();
        await visitor.page.locator(`[data-remote^="${run.remote}@"]`).waitFor();
        const after = await shownOn(visitor.page);
        await visitor.leave();
        if (after.kind !== 'page') throw new Error(`showed ${after.kind} after the retry`);
        return { seen: 'fallback that names it', recovery: 'the retry button' };
      }),
  },
  {
    name: `server killed at ${kills} moments of a mirror run`,
    run: (run) =>
      withOwnSite(run, async (site) => {
        const seed = Number(process.env.CHAOS_SEED) || Date.now() % 1_000_000;
        const random = randomFrom(seed);
        const built = run.built;
        await site.startServer();
        let active = built.release.version;
        for (let kill = 1; kill <= kills; kill += 1) {
          const next = variantOf(built, chaosVersion(kill));
          const origin = site.origin(run.remote);
          origin.offer(next);
          await until('the mirror has begun', () => (origin.requests.get('release.json') ?? 0) > 0);
          await delay(random() * 60);
          const { server } = site;
          server?.kill('SIGKILL');
          await server;
          // The server that starts must find one of the two, and serve it whole, though the origin gives nothing.
          await origin.stop();
          await site.startServer();
          const found = await site.activeVersion(run.remote);
          if (found !== active && found !== next.release.version)
            throw new Error(`kill ${kill} of seed ${seed}: ${found} instead of ${active} or ${next.release.version}`);
          for (const file of Object.keys((found === active ? variantOf(built, active) : next).release.files)) {
            const answer = await fetch(`${site.address}/remotes/${run.remote}/${found}/${file}`);
            if (!answer.ok) throw new Error(`kill ${kill} of seed ${seed}: ${file} of ${found} gave ${answer.status}`);
            await answer.arrayBuffer();
          }
          await origin.start();
          await site.untilActive(run.remote, next.release.version);
          active = next.release.version;
        }
        await othersWork(run.browser, site, run.remote);
        return { seen: 'old or new release, whole', recovery: 'by the next start' };
      }),
  },
  {
    name: 'disk full',
    async run(run) {
      const folder = mkdtempSync(path.join(tmpdir(), 'daybook-chaos-disk-'));
      if (!isMounted(folder, 6_000_000)) {
        rmSync(folder, { recursive: true });
        return { seen: 'not tried: it needs the right to mount a small disk', recovery: '–' };
      }
      try {
        const releases = path.join(folder, 'releases');
        mkdirSync(releases);
        return await withOwnSite(
          run,
          async (site) => {
            await site.startServer();
            const { version } = run.built.release;
            await site.untilActive(run.remote, version);
            const filler = path.join(folder, 'filler');
            fillDisk(filler);
            const next = variantOf(run.built, chaosVersion(1));
            site.origin(run.remote).offer(next);
            const labels = { remote: run.remote, reason: 'disk-full' };
            await until(
              'it is reported',
              async () => (await site.metric('daybook_release_problems_total', labels)) > 0,
            );
            const visitor = await Visitor.arrive(run.browser, site);
            const { release } = await visitor.open(run.path);
            await visitor.leave();
            await othersWork(run.browser, site, run.remote);
            if (release !== `${run.remote}@${version}`) throw new Error(`showed ${release}`);
            rmSync(filler);
            await site.untilActive(run.remote, next.release.version);
            return { seen: 'last good release; disk-full', recovery: 'as soon as there is room' };
          },
          releases,
        );
      } finally {
        execFileSync('umount', [folder]);
        rmSync(folder, { recursive: true });
      }
    },
  },
];

/** Writes until there is no room left. */
function fillDisk(file: string): void {
  for (const size of [1_000_000, 100_000, 4096]) {
    for (let written = 0; written < 100; written += 1) {
      try {
        writeFileSync(file, Buffer.alloc(size), { flag: 'a' });
      } catch {
        break;
      }
    }
  }
}
