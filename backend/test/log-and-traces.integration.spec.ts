import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { releaseOf, routeOf } from '@daybook/testing/releases';
import { createTemporaryBuilds, type TemporaryBuilds } from '@daybook/testing/temporary-builds';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { completionNotice, emergencyNotice, information } from './support/factories.ts';
import { runBackend, runShellServer, urlOf } from './support/processes.ts';
import { useDatabase } from './support/use-backend.ts';

type Line = Readonly<Record<'level' | 'service', string> & { requestId?: string; status?: number }>;
type Attributes = readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[];
type Span = Readonly<Record<'traceId' | 'spanId' | 'parentSpanId' | 'name', string>> & {
  readonly attributes: Attributes;
};
interface Export {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: Attributes };
    readonly scopeSpans: readonly { readonly spans: readonly Span[] }[];
  }[];
}

const email = 'ada.lovelace@example.com';
const inQuery = `email=${encodeURIComponent(email)}`;
const traceId = '0af7651916cd43dd8448eb211c80319c';

const database = useDatabase();
let site: TemporaryBuilds;
beforeAll(() => {
  site = createTemporaryBuilds();
  site.release(releaseOf('mf-signup', { routes: [routeOf('/'), routeOf('/thank-you')] }));
});
afterAll(() => site?.remove());

/** Runs both servers as processes, sends all requests that can contain an email, and returns the log. */
async function logOfJourney(variables: Record<string, string>) {
  const shared = { PORT: '0', DRAIN_SECONDS: '0', ...variables };
  const backend = runBackend('main', { ...shared, DATABASE_URL: database.url, COOKIE_SECRET: 'x'.repeat(32) });
  const shell = runShellServer(site.shellFolder, {
    ...shared,
    HOST: '127.0.0.1',
    BACKEND_URL: await urlOf(backend.child),
    RELEASES_DATABASE_URL: database.url,
    DEVELOPMENT: 'true',
    DEVELOPMENT_BUILDS: JSON.stringify({ 'mf-signup': site.folderOf('mf-signup') }),
    RELEASES_FOLDER: join(site.folder, 'releases'),
    TRUSTED_PROXIES: '1',
  });
  await journey(await urlOf(shell.child));
  let text = '';
  for (const { child, ended } of [shell, backend]) {
    child.kill('SIGTERM');
    const { exitCode, output, errors } = await ended;
    expect({ exitCode, errors }).toEqual({ exitCode: 0, errors: '' });
    text += output;
  }
  const lines = text.trim().split('\n');
  return { text, lines: lines.map((line): Line => JSON.parse(line)) };
}

async function journey(url: string): Promise<void> {
  const send = (method: string, path: string, body?: object | string, headers: Record<string, string> = {}) =>
    fetch(url + path, {
      method,
      headers: { referer: `${url}/thank-you?${inQuery}`, 'content-type': 'application/json', ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
  await send('GET', `/?${inQuery}`);
  await send('GET', '/assets/shell.0a1b2c3d.js');
  const headers = { 'x-request-id': 'from-the-proxy-1', traceparent: `00-${traceId}-b7ad6b7169203331-01` };
  const signedUp = await send('POST', '/api/waitlist', { email }, headers);
  expect([signedUp.status, signedUp.headers.get('x-request-id')]).toEqual([201, 'from-the-proxy-1']);
  const { entry } = (await signedUp.json()) as { entry: { id: number } };
  await send('GET', `/thank-you?${inQuery}&id=${entry.id}`);
  await send('GET', `/api/waitlist/by-email?${inQuery}`, undefined, { 'x-request-id': email });
  await send('PUT', `/api/waitlist/${entry.id}`, information());
  for (const call of ['step/2', 'complete', 'update-client-info'])
    await send('PUT', `/api/waitlist/${entry.id}/${call}`, {});
  await send('POST', `/api/waitlist/${entry.id}/notify-complete`, completionNotice());
  await send('POST', '/api/emergency-webhook', emergencyNotice({ email }));
  // Rejected requests must not be quoted either.
  await send('POST', '/api/waitlist', { email: `${email}@` });
  await send('POST', '/api/waitlist', `{"email": "${email}"`);
  await send('PUT', `/api/waitlist/${email}/complete`, {});
  for (const nowhere of [`/${email}`, `/api/${email}?${inQuery}`, `/%ZZ?${inQuery}`, `/api/%ZZ?${inQuery}`]) {
    await send('GET', nowhere);
    await send('POST', nowhere, { email });
  }
}

describe('during a journey through all calls', () => {
  const exported: Export[] = [];
  const paths = new Set<string | undefined>();
  let collector: Server;
  let log: Awaited<ReturnType<typeof logOfJourney>>;

  beforeAll(async () => {
    collector = createServer(async (request, response) => {
      paths.add(request.url);
      exported.push((await json(request)) as Export);
      response.setHeader('content-type', 'application/json').end('{}');
    }).listen(0, '127.0.0.1');
    await once(collector, 'listening');
    const { port } = collector.address() as AddressInfo;
    log = await logOfJourney({ LOG_LEVEL: 'trace', OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` });
  });
  afterAll(() => void collector?.close());

  const attributeOf = (attributes: Attributes = [], name: string) =>
    Object.values(attributes.find(({ key }) => key === name)?.value ?? {})[0];
  const spansOf = (service: string) =>
    exported
      .flatMap(({ resourceSpans }) => resourceSpans)
      .filter(({ resource }) => attributeOf(resource.attributes, 'service.name') === service)
      .flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans));

  test('neither the log at any level nor a trace contains an email', () => {
    expect(log.text).not.toMatch(/@|%40|lovelace/i);
    expect(JSON.stringify(exported)).not.toMatch(/%40|lovelace|example\.com/i);
    for (const line of log.lines)
      expect(line).toMatchObject({
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/),
        level: expect.stringMatching(/^(?:error|warn|info|debug|trace)$/),
        service: expect.stringMatching(/^(?:shell|backend)$/),
        msg: expect.any(String),
      });
  });

  test('both servers log the same id of a request', () => {
    const signup = log.lines.filter(({ requestId, status }) => requestId === 'from-the-proxy-1' && status);
    const common = { method: 'POST', status: 201, duration: expect.any(Number) };
    expect(signup).toMatchObject([
      { service: 'shell', route: '/api/*', ...common },
      { service: 'backend', route: '/api/waitlist', ...common },
    ]);
    const idsOf = (service: string) =>
      log.lines.filter((line) => line.service === service && line.status).map(({ requestId }) => requestId);
    expect(idsOf('shell')).toEqual(expect.arrayContaining(idsOf('backend')));
  });

  test('a trace follows a call from the browser to the database, and is exported before the servers exit', () => {
    expect([...paths]).toEqual(['/v1/traces']);
    const inTrace = (service: string) => spansOf(service).filter((span) => span.traceId === traceId);
    const atShell = inTrace('daybook-shell').find(({ name }) => name === 'POST /api/*');
    const atBackend = inTrace('daybook-backend').find(({ name }) => name === 'POST /api/waitlist');
    const query = inTrace('daybook-backend').find((span) => attributeOf(span.attributes, 'db.system.name'));
    const handler = inTrace('daybook-backend').find(({ spanId }) => spanId === query?.parentSpanId);
    const parents = [atShell, atBackend, handler].map((span) => span?.parentSpanId);
    expect(parents).toEqual(['b7ad6b7169203331', atShell?.spanId, atBackend?.spanId]);
    expect(attributeOf(atBackend?.attributes, 'http.response.status_code')).toBe(201);
    for (const span of [atShell, atBackend])
      expect(attributeOf(span?.attributes, 'daybook.request_id')).toBe('from-the-proxy-1');
    expect(attributeOf(query?.attributes, 'db.query.text')).toContain('INSERT INTO subscriber');
  });

  test('traces cover pages and calls, not files, with the version of the service', () => {
    const names = new Set(
      spansOf('daybook-shell')
        .map(({ name }) => name)
        .filter((name) => /^[A-Z]+ /.test(name)),
    );
    expect([...names].sort()).toEqual(['GET /*', 'GET /api/*', 'POST /api/*', 'POST unknown', 'PUT /api/*']);
    const resources = exported.flatMap(({ resourceSpans }) => resourceSpans.map(({ resource }) => resource));
    const versions = resources.map(({ attributes }) => attributeOf(attributes, 'service.version'));
    expect(new Set(versions)).toEqual(new Set(['1.0.0', '1.0.0-000000000001']));
  });
});

test('a failed statement is logged with the id of its request and without its data; a missing collector changes nothing', async () => {
  await database.query('ALTER TABLE waitlist_entry ADD CHECK (step < 2) NOT VALID');
  const { lines, text } = await logOfJourney({ LOG_LEVEL: 'info', OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' });
  const failure = { service: 'backend', method: 'PUT', route: '/api/waitlist/:id/step/:step' };
  const logged = { ...failure, requestId: expect.any(String), status: 500, code: 'INTERNAL' };
  expect(lines.filter(({ level }) => level === 'error')).toMatchObject([logged]);
  expect(text).not.toMatch(/lovelace|example\.com/i);
});
