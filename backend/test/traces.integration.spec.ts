import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { send } from './support/test-backend.ts';
import { useSite } from './support/use-site.ts';

interface Attribute {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}

interface ExportedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly attributes: readonly Attribute[];
  readonly status: { readonly code?: number };
}

interface Export {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeSpans: readonly { readonly spans: readonly ExportedSpan[] }[];
  }[];
}

const exported: Export[] = [];
const paths = new Set<string | undefined>();
let collector: Server;
const { visit } = useSite();

beforeAll(async () => {
  collector = createServer(async (request, response) => {
    paths.add(request.url);
    exported.push((await json(request)) as Export);
    response.setHeader('content-type', 'application/json').end('{}');
  }).listen(0, '127.0.0.1');
  await once(collector, 'listening');
});

afterAll(() => void collector?.close());

const attributeOf = (attributes: readonly Attribute[], name: string) =>
  Object.values(attributes.find(({ key }) => key === name)?.value ?? {})[0];

/** Returns the exported spans of a service. */
const spansOf = (service: string) =>
  exported
    .flatMap(({ resourceSpans }) => resourceSpans)
    .filter(({ resource }) => attributeOf(resource.attributes, 'service.name') === service)
    .flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans));

const traced = (endpoint: string, visitor: (address: string) => Promise<unknown>) =>
  visit({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }, visitor);

describe('traces', () => {
  const traceId = '0af7651916cd43dd8448eb211c80319c';
  // Must not occur in a hexadecimal id by chance.
  const email = 'reader@example.com';

  test('follow a call from browser to database, and are exported before the servers exit', async () => {
    await traced(`http://127.0.0.1:${(collector.address() as AddressInfo).port}`, async (address) => {
      const headers = { traceparent: `00-${traceId}-b7ad6b7169203331-01` };
      expect((await send(`${address}/api/waitlist`, 'POST', { json: { email }, headers })).status).toBe(201);
      await fetch(`${address}/?email=${email}`);
      await fetch(`${address}/api/waitlist/by-email?email=${email}`);
      await fetch(`${address}/assets/shell.0a1b2c3d.js`);
    });
    expect([...paths]).toEqual(['/v1/traces']);
    const inTrace = (service: string) => spansOf(service).filter((span) => span.traceId === traceId);
    const atShell = inTrace('daybook-shell').find(({ name }) => name === 'POST /api/*');
    expect(atShell).toMatchObject({ parentSpanId: 'b7ad6b7169203331' });
    const atBackend = inTrace('daybook-backend').find(({ name }) => name === 'POST /api/waitlist');
    expect(atBackend).toMatchObject({ parentSpanId: atShell?.spanId });
    expect(attributeOf(atBackend?.attributes ?? [], 'http.response.status_code')).toBe(201);
    expect(attributeOf(atBackend?.attributes ?? [], 'daybook.request_id')).toBe(
      attributeOf(atShell?.attributes ?? [], 'daybook.request_id'),
    );
    const query = inTrace('daybook-backend').find((span) => attributeOf(span.attributes, 'db.system.name'));
    const handler = inTrace('daybook-backend').find(({ spanId }) => spanId === query?.parentSpanId);
    expect(query?.name).toBe('WITH');
    expect(handler?.parentSpanId).toBe(atBackend?.spanId);
    expect(attributeOf(query?.attributes ?? [], 'db.query.text')).toContain('INSERT INTO subscriber');
  });

  test('cover pages and calls, not files, with the version and without addresses', () => {
    const requests = spansOf('daybook-shell').filter(({ name }) => /^[A-Z]+ /.test(name));
    expect(new Set(requests.map(({ name }) => name))).toEqual(new Set(['POST /api/*', 'GET /*', 'GET /api/*']));
    const versions = exported.flatMap(({ resourceSpans }) =>
      resourceSpans.map(({ resource }) => attributeOf(resource.attributes, 'service.version')),
    );
    expect(new Set(versions)).toEqual(new Set(['1.0.0', '1.0.0-00000001']));
    expect(JSON.stringify(exported)).not.toMatch(/%40|reader|example/);
  });

  test('without a reachable collector do not affect the servers or their exit', async () => {
    await traced('http://127.0.0.1:9', async (address) => {
      expect((await send(`${address}/api/waitlist`, 'POST', { json: { email } })).status).toBe(201);
    });
  });
});
