import { send } from '@daybook/testing/send';
import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { bearer, OperatorBrowser, operatorToken } from './test/operator.ts';
import { prepareTwoRemotes, startRunningSite } from './test/running-site.ts';

const running = await startRunningSite({
  prepare: prepareTwoRemotes,
  variables: { OPERATOR_TOKEN: operatorToken, TRUSTED_PROXIES: '1' },
  backendCalls: (backend) => backend.all('/api/*', ({ body }) => ({ body })),
});
const signedIn = new OperatorBrowser(running.url);
await signedIn.signIn();
let network = 0;

/** Sends a body as a stranger, a script, or a signed-in browser with a valid CSRF token. */
async function sendAs(who: string, method: string, path: string, body: Buffer | undefined, type: string | undefined) {
  // Each request comes from its own network: wrong tokens are rate limited.
  network += 1;
  const ip = `10.${network >> 16}.${(network >> 8) & 0xff}.${network & 0xff}`;
  const headers = { 'X-Forwarded-For': ip, ...(type === undefined ? {} : { 'Content-Type': type }) };
  const Cookie = [...signedIn.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const browser = { Cookie, 'CSRF-Token': signedIn.csrfToken, Origin: running.url };
  const sender = who === 'script' ? bearer : who === 'browser' ? browser : {};
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
  'token=x&token=y&name[]=z&_csrf=',
  'action=activate&remote=__proto__&version=x&seen=9',
  '%',
  '%ff=%fe&a=%00',
  '['.repeat(50_000),
  `a=${'x'.repeat(200_000)}`,
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
const ofReleases = ['/_releases/session', '/_releases', '/_releases/sign-out'];
const paths = fc.constantFrom(...ofReleases, '/_reports', '/api/x', '/terms', '/registry.json', '/metrics');
const methods = fc.constantFrom('POST', 'PUT', 'PATCH', 'DELETE');
const senders = fc.constantFrom('stranger', 'script', 'browser');

test('no body of any content type to any path is a server error', async () => {
  await fc.assert(
    fc.asyncProperty(senders, methods, paths, bodies, types, async (who, method, path, body, type) => {
      // Ends the session that the other requests use.
      fc.pre(!(path === '/_releases/sign-out' && who === 'browser'));
      const { status } = await sendAs(who, method, path, body, type);
      expect(status).toBeGreaterThanOrEqual(200);
      expect(status).toBeLessThan(500);
    }),
    { numRuns: 500 },
  );
});
