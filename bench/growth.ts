import path from 'node:path';
import { contractVersion, type Release } from '@daybook/contract';
import { integrityOf, writeRelease } from '@daybook/testing/releases';
import { remoteOrigins, remotes } from '@daybook/testing/workspaces';
import pidusage from 'pidusage';
import { interleave, type Sample } from './comparison.ts';
import { measureLoad } from './lighthouse.ts';
import { type Part, type PartContext, startMeasuredSite } from './site.ts';

const counts = [remotes.length, 10, 40] as const;

/** Writes the release of a remote with one small page, and returns its entry in `REMOTES`. */
function writeSmallRemote(parent: string, number: number): string {
  const name = `mf-growth-${number}`;
  const title = `Growth ${number}`;
  const contents = { 'remoteEntry.js': '// Never run.\n', 'page.html': `<main><h1>${title}</h1></main>` };
  const files = new Map(Object.entries(contents).map(([file, text]) => [file, Buffer.from(text)] as const));
  const description = 'One of many pages, each of a team of its own, as small as a page can be.';
  const release: Release = {
    name,
    version: '1.0.0-00000001',
    contract: contractVersion,
    entry: 'remoteEntry.js',
    routes: [{ path: `/${name}`, title, description, frame: 'site', files: [], fragment: 'page.html' }],
    files: Object.fromEntries(
      [...files].map(([file, content]) => [file, { integrity: integrityOf(content), size: content.length }]),
    ),
  };
  writeRelease(path.join(parent, name), { release, files });
  return `${name}=file:${path.join(parent, name)}`;
}

/** Starts a site with these remotes, measures it and stops it. */
async function measureSite({ started, folder, browser }: PartContext, origins: string): Promise<Sample> {
  const since = performance.now();
  const site = await startMeasuredSite(started, folder, origins);
  const mirrored = (performance.now() - since) / 1000;
  const { html, script } = await measureLoad(await browser(), site.address);
  const { memory } = await pidusage(site.pid);
  await site.stop();
  return { html, script, memory: memory / 1e6, mirrored };
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
  const cases = { site: await interleave(contestants, context.rounds, measure, context.report) };
  const baseline = `${remotes.length} remotes`;
  const figures = [
    { key: 'html', title: 'HTML of / in kB', digits: 2 },
    { key: 'script', title: 'script of / in kB', digits: 1 },
    { key: 'memory', title: 'memory in MB', digits: 0 },
    { key: 'mirrored', title: 'start to all mirrored in s', digits: 2 },
  ];
  return {
    comparisons: [{ title: 'Growth', contestants: contestants.map(({ name }) => name), baseline, figures, cases }],
    note: `Medians of ${context.rounds} rounds; in brackets the ratio to ${baseline}. Bytes as transferred.`,
  };
};
