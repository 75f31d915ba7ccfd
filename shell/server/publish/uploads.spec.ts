import { connect } from 'node:net';
import { eventually } from '@daybook/testing/eventually';
import { routeOf, versionOf } from '@daybook/testing/releases';
import { send } from '@daybook/testing/send';
import { afterEach, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { bearer, bodyOf, numbered, queryDatabase, type Sent, sentOf, startRunningSite } from '../test/running-site.ts';

const url = '/_releases/api/mf-legal/releases';
const site = await startRunningSite();
const { client } = site;

const boundary = 'X-BOUNDARY';
const type = `multipart/form-data; boundary=${boundary}`;
const part = (name: string, content: string, rest = '; filename="f"') =>
  `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${rest}\r\n\r\n${content}\r\n`;
const end = `--${boundary}--\r\n`;

const release = sentOf(numbered(1), { 'remoteEntry.000000000001.js': 'entry', 'a/style.css': 'body {}' });
const manifest = part('manifest', release.manifest);
const entry = part('file', 'entry');
const style = part('file', 'body {}');

const post = async (body: string | Buffer | undefined, headers: Record<string, string | number> = {}) => {
  const all = { 'Content-Type': type, ...bearer('operator'), ...headers };
  const { status, text } = await send(site.url, url, { method: 'POST', body, headers: all });
  return { status, errors: JSON.parse(text).errors as readonly string[] };
};

const countOf = (table: string) => `(SELECT count(*) FROM releases.${table} WHERE remote <> 'shell')`;
const stored = async () => {
  const all = `SELECT ${['release', 'file', 'state'].map(countOf).join(' + ')} AS count`;
  const [{ count } = { count: '' }] = await queryDatabase<{ count: string }>(site.database, all);
  return Number(count);
};

afterEach(async () => {
  expect((await send(site.url, '/healthz')).text).toBe('{"status":"ok"}');
  await site.empty();
});

test('files are known by their content, whatever the parts are called', async () => {
  expect((await post(manifest + part('x', 'body {}', '; filename="y"') + entry + end)).status).toBe(201);
  const { text } = await send(site.url, `/remotes/mf-legal/${versionOf(1)}/a/style.css`);
  expect(text).toBe('body {}');
});

test('a manifest may be a field instead of a file', async () => {
  expect((await post(part('manifest', release.manifest, '') + entry + style + end)).status).toBe(201);
});

const sentence = (name: string) => `${name} was not sent with the content that release.json states.`;
test.each<[string, string, number, readonly (string | RegExp)[]]>([
  ['no part', end, 400, [/^The body has no part “manifest”\.$|^The body can't be read: /]],
  ['nothing', '', 400, [/^The body/]],
  ['no manifest', entry + end, 400, [/^The first part has to be “manifest”: release\.json\.$/]],
  ['a manifest that is not first', entry + manifest + end, 400, [/^The first part has to be “manifest”/]],
  ['an empty manifest', part('manifest', '') + end, 422, ['release.json is empty.']],
  ['a byte order mark', part('manifest', '\ufeff{}') + end, 422, [/^release\.json is not JSON: /]],
  ['missing files', manifest + end, 422, ['remoteEntry.000000000001.js', 'a/style.css'].map(sentence)],
  [
    'a damaged file',
    `${manifest + entry}${part('file', 'BODY {}', '; filename="b.css"')}${end}`,
    422,
    [sentence('a/style.css'), 'b.css was sent, and release.json lists no such content.'],
  ],
  [
    'a cut off file',
    `${manifest + entry}${part('file', 'body', '; filename="b.css"')}${end}`,
    422,
    [sentence('a/style.css'), 'b.css was sent, and release.json lists no such content.'],
  ],
  [
    'another file',
    manifest + entry + style + part('file', 'c') + end,
    422,
    ['f was sent, and release.json lists no such content.'],
  ],
  ['two manifests', manifest + manifest + entry + style + end, 422, [/^f was sent, and/]],
  ['no end', manifest + entry + style, 400, [/^The body can't be read: /]],
  ['an end inside a part', (manifest + entry + style).slice(0, -5), 400, [/^The body can't be read: /]],
  ['another boundary', (manifest + entry + style + end).replaceAll(boundary, 'Y'), 400, [/^The body/]],
  [
    'a part’s header of 5 MB',
    `${manifest}--${boundary}\r\nX: ${'x'.repeat(5_000_000)}\r\n\r\n\r\n${end}`,
    422,
    ['remoteEntry.000000000001.js', 'a/style.css'].map(sentence),
  ],
  ['a million empty lines', manifest + '\r\n'.repeat(1_000_000), 400, [/^The body/]],
  [
    'a manifest of 2 MB',
    part('manifest', ' '.repeat(2_000_000)) + end,
    422,
    ['release.json has more than 300000 bytes.'],
  ],
  ['2,002 files', manifest + entry.repeat(2_002) + end, 413, [/^The body can't be read: .*limit/]],
])('a body with %s is refused with the reason', async (_what, body, status, errors) => {
  const response = await post(body);
  expect(response.status).toBe(status);
  expect(response.errors).toEqual(
    errors.map((each) => (typeof each === 'string' ? each : expect.stringMatching(each))),
  );
  expect(await stored()).toBe(0);
});

test.each([
  ['application/json', '{}', 400],
  ['text/plain', 'x', 415],
  ['multipart/form-data', manifest + end, 400],
  ['multipart/form-data; boundary=', manifest + end, 400],
  [`multipart/form-data; boundary=${'x'.repeat(10_000)}`, manifest + end, 400],
  ['multipart/mixed; boundary=X', manifest + end, 415],
])('a body of the type %s is refused', async (contentType, body, status) => {
  const response = await post(body, { 'Content-Type': contentType });
  expect([response.status, response.errors]).toEqual([status, [expect.any(String)]]);
});

test('names of Object.prototype are no files', async () => {
  const named = { ...JSON.parse(release.manifest), entry: '__proto__' };
  const text = JSON.stringify(named).replace('"files":{', `"files":{"__proto__":{"integrity":"x","size":1},`);
  expect((await post(part('manifest', text) + part('__proto__', 'x') + end)).status).toBe(422);
  const own = sentOf(numbered(2, 'mf-legal', { entry: 'constructor' }), { constructor: 'entry', toString: 'a' });
  expect((await client.publish(own)).status).toBe(201);
  const get = (file: string) => send(site.url, `/remotes/mf-legal/${versionOf(2)}/${file}`);
  expect([(await get('constructor')).text, (await get('valueOf')).status]).toEqual(['entry', 404]);
});

/** Sends the head of a request and a part of a body; resolves with the response's status, or `closed`. */
function begin(headers: Record<string, string | number>, body: Buffer | string = '') {
  const lines = Object.entries({ Host: 'localhost', ...bearer('operator'), 'Content-Type': type, ...headers });
  const socket = connect(Number(new URL(site.url).port), '127.0.0.1');
  const status = new Promise<string>((resolve) => {
    socket.on('error', () => resolve('closed')).on('close', () => resolve('closed'));
    socket.on('data', (data) => resolve(/^HTTP\/1\.1 (\d+)/.exec(String(data))?.[1] ?? ''));
  });
  socket.write(`POST ${url} HTTP/1.1\r\n${lines.map((line) => line.join(': ')).join('\r\n')}\r\n\r\n`);
  socket.write(body);
  return { socket, status };
}

test.each([
  ['without its length', { 'Transfer-Encoding': 'chunked' }, '411'],
  ['of 22,000,001 bytes', { 'Content-Length': 22_000_001 }, '413'],
  ['of an unknown token', { 'Content-Length': 22_000_000, Authorization: 'Bearer wrong' }, '401'],
])('a body %s is refused before it is read', async (_what, headers, status) => {
  const { socket, ...begun } = begin(headers);
  expect(await begun.status).toBe(status);
  socket.destroy();
});

test('a body that is longer or shorter than its Content-Length is refused', async () => {
  const whole = manifest + entry + style + end;
  const { socket, status } = begin({ 'Content-Length': Buffer.byteLength(whole) - 10 }, whole);
  expect(await status).toBe('400');
  socket.destroy();
  const short = begin({ 'Content-Length': Buffer.byteLength(whole) + 10 }, whole);
  short.socket.end();
  expect(await short.status).toMatch(/400|closed/);
  expect(await stored()).toBe(0);
});

test('a client that is gone in the middle of its body leaves nothing, and can publish again', async () => {
  const { body, headers } = await bodyOf(sentOf(numbered(1), { 'remoteEntry.000000000001.js': Buffer.alloc(300_000) }));
  for (let times = 0; times < 20; times += 1) {
    const { socket } = begin(headers, body.subarray(0, Math.floor((body.length * times) / 20)));
    await new Promise<void>((resolve) => socket.write('', () => resolve()));
    socket.destroy();
  }
  await eventually(async () => expect((await client.publish(release)).status).toBe(201));
  expect((await client.show()).releases).toHaveLength(1);
});

test('a body with damaged bytes is stored as it was built, or not at all', async () => {
  const { body, headers } = await bodyOf(sentOf(numbered(1)));
  const damage = fc.record({ at: fc.nat(body.length - 1), bytes: fc.uint8Array({ maxLength: 4 }), removed: fc.nat(4) });
  await fc.assert(
    fc.asyncProperty(fc.array(damage, { minLength: 1, maxLength: 3 }), async (damages) => {
      let damaged = body;
      for (const { at, bytes, removed } of damages)
        damaged = Buffer.concat([damaged.subarray(0, at), bytes, damaged.subarray(at + removed)]);
      const response = await post(damaged, { ...headers, 'Content-Length': damaged.length });
      expect(response.status).toBeLessThan(500);
      const { text } = await send(site.url, `/remotes/mf-legal/${versionOf(1)}/remoteEntry.000000000001.js`);
      if (response.status < 300) expect(text).toBe(`entry of mf-legal@${versionOf(1)}`);
      await site.empty();
    }),
    { numRuns: 50 },
  );
});

const html = (text: string): Sent =>
  sentOf(numbered(1, 'mf-legal', { routes: [routeOf('/terms', { fragment: 'terms.html' })] }), {
    'remoteEntry.000000000001.js': 'entry',
    'terms.html': text,
  });

test.each([
  ['script', '<script>alert(1)</script><p onclick="alert(1)">x</p>'],
  ['ends', '</div></main></body></html><!--'],
  ['990 kB of elements', '<a>'.repeat(330_000)],
  ['990 kB of ends', '</div>'.repeat(165_000)],
  ['no UTF-8', '\u0000\ud800\uffff'],
  ['replacement patterns', "$& $1 $` $' $$"],
])('HTML with %s is that of its own page only', async (_what, text) => {
  await client.publish(sentOf(numbered(1, 'mf-signup')));
  expect((await client.publish(html(text))).status).toBe(201);
  const page = await send(site.url, '/terms', { headers: { 'Accept-Encoding': 'br' } });
  expect(page.status).toBe(200);
  expect(page.headers['content-security-policy']).not.toMatch(/unsafe|script-src[^;]*alert/);
  expect((await send(site.url, '/')).status).toBe(200);
});
