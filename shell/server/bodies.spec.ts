import { send } from '@daybook/testing/send';
import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { bearer, startRunningSite, twoRemotes } from './test/running-site.ts';

const running = await startRunningSite({
  releases: twoRemotes,
  variables: { TRUSTED_PROXIES: '1' },
  backendCalls: (backend) => backend.all('/api/*', ({ body }) => ({ body })),
});
let network = 0;

/** Sends a body anonymously or with an operator's token. */
async function sendAs(who: string, method: string, path: string, body: Buffer | undefined, type: string | undefined) {
  // Each request comes from its own network: wrong tokens are rate limited.
  network += 1;
  const ip = `10.${network >> 16}.${(network >> 8) & 0xff}.${network & 0xff}`;
  const headers = { 'X-Forwarded-For': ip, ...(type === undefined ? {} : { 'Content-Type': type }) };
  const sender = who === 'operator' ? bearer('operator') : {};
  return send(running.url, path, { method, headers: { ...headers, ...sender }, body });
}

const texts = [
  '',
  'null',
  '{}',
  '{',
  '{"__proto__":{"token":"x"}}',
  '{"token":["x"],"name":{}}',
  '__proto__=x&constructor=y&toString=z',
  '{"action":"activate","releases":["__proto__@1.0.0-000000000001"]}',
  '{"action":"rollback","remote":"constructor","seen":1e308}',
  '--x\r\nContent-Disposition: form-data; name="__proto__"\r\n\r\n{}\r\n--x--\r\n',
  '%',
  '%ff=%fe&a=%00',
  '['.repeat(50_000),
  `a=${'x'.repeat(90_000)}`,
];
const bodies = fc.oneof(
  fc.constant(undefined),
  fc.oneof(fc.constantFrom(...texts), fc.json(), fc.webQueryParameters()).map((text) => Buffer.from(text)),
  fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
);
const types = fc.constantFrom(
  undefined,
  'application/json',
  'application/json; charset=utf-16',
  'application/x-www-form-urlencoded',
  'text/plain',
  'multipart/form-data; boundary=x',
  'application/octet-stream',
  'json;;;',
  '*/*',
);
const ofReleases = ['/_releases', '/_releases/api/changes', '/_releases/api/mf-legal/releases'];
const paths = fc.constantFrom(...ofReleases, '/_reports', '/api/x', '/terms', '/registry.json', '/metrics');
const methods = fc.constantFrom('POST', 'PUT', 'PATCH', 'DELETE');
const senders = fc.constantFrom('anonymous', 'operator');

test('no body of any content type to any path is a server error', async () => {
  await fc.assert(
    fc.asyncProperty(senders, methods, paths, bodies, types, async (who, method, path, body, type) => {
      const { status } = await sendAs(who, method, path, body, type);
      expect(status).toBeGreaterThanOrEqual(200);
      expect(status).toBeLessThan(500);
    }),
    { numRuns: 500 },
  );
});
