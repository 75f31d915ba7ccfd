import { connect } from 'node:net';
import { eventually } from '@daybook/testing/eventually';
import { versionOf } from '@daybook/testing/releases';
import { send } from '@daybook/testing/send';
import { afterEach, expect, test } from '@jest/globals';
import { bearer, bodyOf, numbered, queryDatabase, sentOf, startRunningSite } from '../test/running-site.ts';

const url = '/_releases/api/mf-legal/releases';
const site = await startRunningSite();
const { client } = site;

const boundary = 'X-BOUNDARY';
const part = (name: string, content: string, rest = '; filename="f"') =>
  `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${rest}\r\n\r\n${content}\r\n`;
const end = `--${boundary}--\r\n`;

const { entry: entryName } = numbered(1);
const release = sentOf(numbered(1), { [entryName]: 'entry', 'a/style.css': 'body {}' });
const [manifest, entry, style] = [part('manifest', release.manifest), part('file', 'entry'), part('file', 'body {}')];

const post = async (body: string, headers: Record<string, string> = {}) => {
  const all = { 'Content-Type': `multipart/form-data; boundary=${boundary}`, ...bearer('operator'), ...headers };
  const { status, text } = await send(site.url, url, { method: 'POST', body, headers: all });
  return { status, errors: JSON.parse(text).errors as readonly string[] };
};

afterEach(() => site.empty());

test('the manifest may be a field, and files are known by their content', async () => {
  const field = part('manifest', release.manifest, '');
  expect((await post(field + part('x', 'body {}', '; filename="y"') + entry + end)).status).toBe(201);
  expect((await send(site.url, `/remotes/mf-legal/${versionOf(1)}/a/style.css`)).text).toBe('body {}');
});

test('a release may have 2,000 files beside its manifest', async () => {
  expect((await post(manifest + entry.repeat(1_999) + style + end)).status).toBe(201);
});

const missing = 'a/style.css was not sent with the content that release.json states.';
const other = (name: string) => `${name} was sent, and release.json lists no such content.`;
const damaged = part('file', 'BODY {}', '; filename="b.css"');
const wrongSize = release.manifest.replace('"size":5', '"size":1');
test.each<[string, string, number, readonly (string | RegExp)[]]>([
  ['a damaged file', manifest + entry + damaged + end, 422, [missing, other('b.css')]],
  ['another file', manifest + entry + style + part('file', 'c') + end, 422, [other('f')]],
  ['another size', part('manifest', wrongSize) + entry + style + end, 422, [/^\S+ does not have the 1 bytes/]],
  ['an end inside a part', (manifest + entry + style).slice(0, -5), 400, [/^The body can't be read: /]],
  ['a manifest of 2 MB', part('manifest', ' '.repeat(2_000_000)) + end, 422, [/^release\.json has more than 300000/]],
  ['2,002 files', manifest + entry.repeat(2_002) + end, 413, [/^The body can't be read: .*limit/]],
])('a body with %s is refused with the reason', async (_what, body, status, errors) => {
  const expected = errors.map((each) => (typeof each === 'string' ? each : expect.stringMatching(each)));
  expect(await post(body)).toEqual({ status, errors: expected });
  const rows = `SELECT FROM releases.file WHERE remote <> 'shell' UNION ALL SELECT FROM releases.state`;
  expect(await queryDatabase(site.database, rows)).toEqual([]);
});

test('a body of another type, or without its length, is refused', async () => {
  expect((await post('{}', { 'Content-Type': 'application/json' })).status).toBe(400);
  expect((await post(manifest + entry + style + end, { 'Transfer-Encoding': 'chunked' })).status).toBe(411);
});

test('a client that is gone in the middle of its body leaves nothing', async () => {
  const { body, headers } = await bodyOf(sentOf(numbered(1), { [entryName]: Buffer.alloc(300_000) }));
  const lines = Object.entries({ Host: 'localhost', ...bearer('operator'), ...headers }).map((each) => each.join(': '));
  for (let times = 0; times < 20; times += 1) {
    const socket = connect(Number(new URL(site.url).port), '127.0.0.1')
      .on('error', () => undefined)
      .resume();
    socket.write(`POST ${url} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
    const sent = body.subarray(0, Math.floor((body.length * times) / 20));
    await new Promise<void>((resolve) => socket.write(sent, () => resolve()));
    if (times % 2 === 0) socket.destroy();
    else socket.end();
  }
  await eventually(async () => expect((await client.publish(release)).status).toBe(201));
  expect((await client.show()).releases).toHaveLength(1);
});
