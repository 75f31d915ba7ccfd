import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync } from 'node:zlib';
import { findNginx, runNginx, startEdge } from '@daybook/testing/nginx';
import { findFreePort } from '@daybook/testing/ports';
import { interleave, mediansOf, type Round } from './comparison.ts';
import { type LoadedServer, loadServer } from './load.ts';
import { type Part, startMeasuredSite } from './site.ts';

const headers = { 'accept-encoding': 'br' };
const [connections, seconds] = [32, 3];

/** Requests a response as transferred, compressed. */
async function download(url: string) {
  const [response] = (await once(get(url, { headers }), 'response')) as [IncomingMessage];
  return { path: new URL(url).pathname, headers: response.headers, body: await buffer(response) };
}
type Download = Awaited<ReturnType<typeof download>>;

/** nginx sends these headers with a file by itself. */
const isOfNginx = (name: string) =>
  /^(?:server|date|connection|keep-alive|content-(?:type|length)|last-modified|accept-ranges)$/.test(name);

/** Returns an nginx location that sends a response's bytes from a file, with the same headers. */
function locationOf(folder: string, { path: url, headers: sent, body }: Download): string {
  const name = path.basename(url) || 'home';
  writeFileSync(path.join(folder, name), body);
  const added = Object.entries(sent)
    .filter(([header]) => !isOfNginx(header))
    .map(
      ([header, value]) => `add_header ${header} ${header === 'x-request-id' ? '$request_id' : `"${escaped(value)}"`};`,
    );
  return `location = ${url} { root ${folder}; try_files /${name} =404; types {}
    default_type "${sent['content-type']}"; etag off; ${added.join(' ')} }`;
}

const escaped = (value: unknown) => String(value).replaceAll('"', '\\"');

/** Starts nginx with the content of a server block, and a folder for its files. */
async function startNginx(program: string, started: AsyncDisposableStack, folder: string, server: string) {
  const port = await findFreePort();
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `${kind}_temp_path ${folder}/${kind};`,
  );
  const content = `pid ${folder}/nginx.pid; error_log ${folder}/error.log; events {}
    http {
      access_log off; sendfile on; tcp_nopush on; keepalive_requests 1000000;
      ${temporary.join(' ')}
      server { listen 127.0.0.1:${port}; ${server} }
    }`;
  return runNginx([program], started, folder, port, content);
}

/** Compares a page and a hashed file, from the edge and the shell server, with nginx sending the same bytes and headers. */
export const measureServer: Part = async ({ started, folder, rounds: count, report }) => {
  const program = findNginx();
  if (!program)
    throw new Error('The baseline of this part is nginx, which is not installed. On Debian: apt-get install nginx');
  const shell = { name: 'shell server', ...(await startMeasuredSite(started, folder)) };
  const inFolder = (name: string) => {
    mkdirSync(path.join(folder, name));
    return path.join(folder, name);
  };
  // One client sends everything.
  const variables = { LIMIT_NETWORK_REQUESTS: '9000000' };
  const edge = { name: 'edge', ...(await startEdge(program, started, inFolder('edge'), shell.url, variables)) };
  const page = await download(`${edge.url}/`);
  const [, script] = /<script[^>]* src="([^"]+)"/.exec(brotliDecompressSync(page.body).toString()) ?? [];
  const responses = { page, 'hashed file': await download(`${edge.url}${script}`) };
  const files = inFolder('files');
  const locations = Object.values(responses).map((response) => locationOf(files, response));
  const nginx = { name: 'nginx', ...(await startNginx(program, started, files, locations.join('\n'))) };
  const servers: readonly LoadedServer[] = [edge, shell, nginx];
  const cases: Record<string, readonly Round[]> = {};
  for (const [kind, response] of Object.entries(responses)) {
    const { path, body } = response;
    if (!(await download(nginx.url + path)).body.equals(body)) throw new Error(`nginx sends other bytes at ${path}.`);
    const measure = (server: LoadedServer) => loadServer(server, connections, seconds, () => ({ path, headers }));
    await interleave(servers, 1, measure, () => report(`${kind}: warmed up`));
    const name = `${kind}, ${(body.length / 1000).toFixed(1)} kB`;
    cases[name] = await interleave(servers, count, measure, (line) => report(`${kind}: ${line}`));
  }
  const figures = [
    { key: 'perSecond', title: 'requests per second', digits: 0 },
    { key: 'cpu', title: 'CPU s per 1,000 requests', digits: 3 },
    { key: 'p99', title: 'p99 in ms', digits: 0 },
  ];
  return {
    comparisons: [
      { title: 'Server', contestants: servers.map(({ name }) => name), baseline: nginx.name, figures, cases },
    ],
    note: `${connections} connections, Brotli, ${mediansOf(count)} of ${seconds} s; in brackets the ratio to nginx.`,
  };
};
