import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { contractVersion, type Release, releaseFileName } from '@daybook/contract';
import { remoteOrigins, remotes } from '../scripts/workspaces.ts';
import { type Comparison, interleave, median, type Sample } from './comparison.ts';
import { measureLoad } from './lighthouse.ts';
import type { Part, PartContext } from './part.ts';
import { residentMegabytes } from './process-use.ts';
import { siteRoutes } from './site/routes.ts';
import { startMeasuredSite } from './site.ts';

const counts = [remotes.length, 10, 40] as const;

/** Writes the release of a remote with one small page, and returns its entry in `REMOTES`. */
function writeSmallRemote(parent: string, number: number): string {
  const name = `mf-growth-${String(number).padStart(3, '0')}`;
  const title = `Growth ${number}`;
  const contents = {
    'remoteEntry.js': '// Never run.\n',
    'page.html': `<main><h1>${title}</h1><p>A small page.</p></main>`,
  };
  const folder = path.join(parent, name);
  mkdirSync(folder, { recursive: true });
  const files = Object.entries(contents).map(([file, content]) => {
    writeFileSync(path.join(folder, file), content);
    const integrity = `sha384-${createHash('sha384').update(content).digest('base64')}`;
    return [file, { integrity, size: content.length }] as const;
  });
  const description = 'One of many pages, each of a team of its own, as small as a page can be.';
  const release: Release = {
    name,
    version: '1.0.0-00000001',
    contract: contractVersion,
    entry: 'remoteEntry.js',
    routes: [{ path: `/${name}`, title, description, frame: 'site', files: [], fragment: 'page.html' }],
    files: Object.fromEntries(files),
  };
  writeFileSync(path.join(folder, releaseFileName), JSON.stringify(release));
  return `${name}=file:${folder}`;
}

/** Time in ms until the response of a page is complete. */
async function timePage(address: string): Promise<number> {
  const since = performance.now();
  const response = await fetch(address, { headers: { 'accept-encoding': 'br' } });
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`${address} responded with ${response.status}.`);
  return performance.now() - since;
}

/** Starts a site with these remotes, measures it and stops it. */
async function measureSite({ started, folder, browser }: PartContext, origins: string): Promise<Sample> {
  const since = performance.now();
  const site = await startMeasuredSite(started, folder, origins);
  const mirrored = (performance.now() - since) / 1000;
  await timePage(`${site.address}/healthz`);
  const times: number[] = [];
  for (const { path } of siteRoutes()) times.push(await timePage(site.address + path));
  const page = await fetch(site.address, { headers: { 'accept-encoding': 'br' } });
  await page.arrayBuffer();
  const { script } = await measureLoad(await browser(), site.address);
  const memory = residentMegabytes(site.pid);
  await site.stop();
  return { html: Number(page.headers.get('content-length')) / 1000, script, memory, compose: median(times), mirrored };
}

/** What more remotes cost: the home page's bytes, and the server's memory and time. */
export const measureGrowth: Part = async (context) => {
  const small = Array.from({ length: Math.max(...counts) - remotes.length }, (_, index) =>
    writeSmallRemote(path.join(context.folder, 'origins'), index + 1),
  );
  const contestants = counts.map((count) => ({
    name: `${count} remotes`,
    origins: [remoteOrigins(), ...small.slice(0, count - remotes.length)].join(','),
  }));
  const measure = ({ origins }: { readonly origins: string }) => measureSite(context, origins);
  const rounds = await interleave(contestants, context.rounds, measure, context.report);
  const baseline = `${remotes.length} remotes`;
  const comparison: Comparison = {
    title: 'Growth',
    contestants: contestants.map(({ name }) => name),
    baseline,
    figures: [
      { key: 'html', title: 'HTML of / in kB', digits: 2 },
      { key: 'script', title: 'script of / in kB', digits: 1 },
      { key: 'memory', title: 'memory in MB', digits: 0 },
      { key: 'compose', title: 'first response of a page in ms', digits: 1 },
      { key: 'mirrored', title: 'start to all mirrored in s', digits: 2 },
    ],
    cases: [{ name: 'site', rounds }],
  };
  const note = `Medians of ${context.rounds} rounds; in brackets the ratio to ${baseline}. Compressed bytes.`;
  return { comparisons: [comparison], picture: comparison, note };
};
