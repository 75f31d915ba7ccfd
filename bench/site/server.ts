import { mkdirSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import path from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { type Comparison, summarise } from '../comparison.ts';
import { ratioPicture } from '../report/ratio-picture.ts';
import { comparisonTable } from '../report/table.ts';
import { interleave } from '../rounds.ts';
import { type LoadedServer, loadServer } from './get-load.ts';
import { startMeasuredSite } from './measured-site.ts';
import { type FixedAnswer, findNginx, startNginx } from './nginx.ts';
import type { AimResult, SitePart } from './parts.ts';
import { pageHeaders, serveAnswers, serveFolder } from './variants/serve-folder.ts';
import { hasWrk } from './wrk.ts';

const names = { site: 'shell server', nginx: 'nginx', bare: 'node:http', plugin: '@fastify/static' } as const;

/** Of nginx's requests per second, at least. */
const leastOfNginx = 0.6;

/** An answer as it comes over the wire, in Brotli. */
function getCompressed(address: string): Promise<Pick<FixedAnswer, 'body'> & { readonly type: string }> {
  return new Promise((resolve, reject) => {
    get(address, { headers: { 'accept-encoding': 'br' } }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.once('error', reject);
      answer.once('end', () => resolve({ type: answer.headers['content-type'] ?? '', body: Buffer.concat(chunks) }));
    }).once('error', reject);
  });
}

/** An answer of the site, to be given by others. */
async function takeAnswer(site: string, address: string): Promise<FixedAnswer> {
  const { body, type } = await getCompressed(site + address);
  const headers = {
    'content-type': type,
    'content-encoding': 'br',
    vary: 'Accept-Encoding',
    ...(await pageHeaders(site + address)),
  };
  return { path: address, headers, body };
}

/** @throws Error where a server gives other bytes than the site: the figures would say nothing */
async function expectSameBytes({ name, address }: LoadedServer, { body }: FixedAnswer): Promise<void> {
  const given = await getCompressed(address);
  if (!given.body.equals(body)) throw new Error(`${name} serves other bytes at ${address} than the site does.`);
}

/** The first script of a page: a file of the shell's build. */
function scriptIn(page: FixedAnswer): string {
  const [, script] = /<script[^>]* src="([^"]+)"/.exec(brotliDecompressSync(page.body).toString()) ?? [];
  if (!script) throw new Error(`The page ${page.path} has no script.`);
  return script;
}

/** Serves answers by @fastify/static alone, from files that are compressed already. */
async function startPlugin(started: AsyncDisposableStack, parent: string, [page, file]: readonly FixedAnswer[]) {
  const folder = path.join(parent, 'plugin');
  if (!page || !file) throw new Error('There is nothing to serve.');
  for (const [name, { body }] of [
    ['index.html', page],
    [file.path.slice(1), file],
  ] as const) {
    const place = path.join(folder, name);
    mkdirSync(path.dirname(place), { recursive: true });
    writeFileSync(`${place}.br`, body);
    writeFileSync(place, brotliDecompressSync(body));
  }
  const { 'content-type': _, 'content-encoding': __, vary: ___, ...headers } = page.headers;
  return serveFolder(started, folder, { headers, pages: { [page.path]: 'index.html' } });
}

function nginxAim({ cases }: Comparison): readonly AimResult[] {
  const [ratio, perCore] = ['perSecond', 'perCore'].map(
    (key) => summarise(cases[0]?.rounds ?? [], names.site, key, names.nginx)?.ratios?.ratio,
  );
  if (ratio === undefined) return [];
  const ofCore = perCore === undefined ? '' : `; for a second of a core ${perCore.toFixed(2)} ×`;
  return [
    {
      figure: 'composed page, requests per second',
      aim: `≥ ${leastOfNginx} × nginx with the same bytes`,
      measured: `${ratio.toFixed(2)} ×${ofCore}`,
      met: ratio >= leastOfNginx,
    },
  ];
}

/** The shell server's page and file against servers that serve the same bytes from files. */
export const measureServer: SitePart = async ({ started, folder, effort, report }) => {
  const site = await startMeasuredSite({ folder });
  started.defer(() => site.stop());
  const page = await takeAnswer(site.address, '/');
  const file = await takeAnswer(site.address, scriptIn(page));
  const program = findNginx();
  if (!program) report('nginx is not installed, so nothing is compared with it. On Debian: apt-get install nginx');
  const hasDriver = hasWrk();
  if (!hasDriver)
    report('wrk is not installed: autocannon asks, which is slower than the servers. On Debian: apt-get install wrk');
  const servers = [
    { name: names.site, ...site },
    ...(program ? [{ name: names.nginx, ...(await startNginx(program, started, folder, [page, file])) }] : []),
    { name: names.bare, ...(await serveAnswers(started, path.join(folder, 'bare'), [page, file])) },
    { name: names.plugin, ...(await startPlugin(started, folder, [page, file])) },
  ];
  const cases: Comparison['cases'][number][] = [];
  for (const [name, answer] of [
    ['page', page],
    ['hashed file', file],
  ] as const) {
    const contestants: readonly LoadedServer[] = servers.map((server) => ({
      ...server,
      address: server.address + answer.path,
    }));
    for (const contestant of contestants) {
      await expectSameBytes(contestant, answer);
      // To warm it up.
      await loadServer(contestant, effort.loadSeconds);
    }
    const rounds = await interleave(
      contestants,
      effort.rounds,
      (contestant) => loadServer(contestant, effort.loadSeconds),
      (done) => report(`${name}: round ${done} of ${effort.rounds}`),
    );
    cases.push({ name: `${name}, ${(answer.body.length / 1000).toFixed(1)} kB`, rounds });
  }
  const baseline = program ? names.nginx : names.plugin;
  const comparison: Comparison = {
    title: `Requests: ratio to ${baseline}`,
    contestants: servers.map(({ name }) => name),
    baseline,
    figures: [
      { key: 'perSecond', title: 'requests per second', digits: 0, aim: { atLeast: leastOfNginx } },
      { key: 'perCore', title: 'requests for a second of a core', digits: 0 },
      { key: 'p99', title: 'p99 in ms', digits: 2 },
    ],
    cases,
  };
  const skipped = program ? '' : ' nginx is not installed on this machine and was left out.';
  const driver = hasDriver
    ? 'Asked by wrk.'
    : 'wrk is not installed on this machine: autocannon asked, and is what limits the requests per second.';
  return [
    {
      name: 'server',
      text: `${comparisonTable(comparison)}\n\nMedians of ${effort.rounds} rounds of ${effort.loadSeconds} s, in brackets the ratio to ${baseline}. ${driver}${skipped}`,
      caption: `Requests and latencies as ratios to ${baseline}, with the lowest and highest of all rounds`,
      picture: ratioPicture(comparison),
      data: { effort, aims: nginxAim(comparison), comparison },
    },
  ];
};
