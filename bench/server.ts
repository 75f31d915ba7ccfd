import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync } from 'node:zlib';
import { interleave, type Round } from './comparison.ts';
import { type LoadedServer, loadServer } from './http-load.ts';
import { type FixedAnswer, findNginx, startNginx } from './site/nginx.ts';
import { type Part, startMeasuredSite } from './site.ts';

const nginxName = 'nginx';
const headers = { 'accept-encoding': 'br' };
const load = { connections: 32, seconds: 3 } as const;

/** Headers of one connection or one response. */
const notCopied =
  /^(?:connection|content-length|date|etag|keep-alive|server-timing|set-cookie|transfer-encoding|x-request-id)$/;

/** A response as it is transferred, compressed. */
async function take(address: string): Promise<FixedAnswer> {
  const [response] = (await once(get(address, { headers }), 'response')) as [IncomingMessage];
  const copied = Object.entries(response.headers).filter(([name]) => !notCopied.test(name));
  return {
    path: new URL(address).pathname,
    headers: Object.fromEntries(copied.map(([name, value]) => [name, String(value)])),
    body: await buffer(response),
  };
}

/** A composed page and a hashed file of the shell server against nginx with the same bytes and headers in files. */
export const measureServer: Part = async ({ started, folder, rounds: count, report }) => {
  const program = findNginx();
  if (!program) throw new Error('nginx is what the server is compared with. On Debian: apt-get install nginx');
  const site = await startMeasuredSite(started, folder);
  const page = await take(`${site.address}/`);
  const [, script] = /<script[^>]* src="([^"]+)"/.exec(brotliDecompressSync(page.body).toString()) ?? [];
  const file = await take(`${site.address}${script}`);
  const servers: readonly LoadedServer[] = [
    { name: 'shell server', ...site },
    { name: nginxName, ...(await startNginx(program, started, folder, [page, file])) },
  ];
  const cases: Record<string, readonly Round[]> = {};
  for (const [kind, { path, body }] of Object.entries({ page, 'hashed file': file })) {
    for (const { name, address } of servers)
      if (!(await take(address + path)).body.equals(body)) throw new Error(`${name} serves other bytes at ${path}.`);
    const measure = (server: LoadedServer) => loadServer(server, { ...load, request: { path, headers } });
    await interleave(servers, 1, measure, () => report(`${kind}: warmed up`));
    const name = `${kind}, ${(body.length / 1000).toFixed(1)} kB`;
    cases[name] = await interleave(servers, count, measure, (line) => report(`${kind}: ${line}`));
  }
  const comparison = {
    title: 'Server',
    contestants: servers.map(({ name }) => name),
    baseline: nginxName,
    figures: [
      { key: 'perSecond', title: 'requests per second', digits: 0 },
      { key: 'cpu', title: 'CPU s per 1,000 requests', digits: 3 },
      { key: 'p99', title: 'p99 in ms', digits: 0 },
    ],
    cases,
  };
  const note = `autocannon, ${load.connections} connections, Brotli, medians of ${count} rounds of ${load.seconds} s; in brackets the ratio to nginx.`;
  return { comparisons: [comparison], note };
};
