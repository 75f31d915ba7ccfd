import { hash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import { eventually } from '@daybook/testing/eventually';

import { send } from '@daybook/testing/send';
import { expect, test } from '@jest/globals';
import { bearer, bodyOf, numbered, sentOf, startRunningSite, tokenLines, tokens } from '../test/running-site.ts';

const variables = { TRUSTED_PROXIES: '1' };
const api = '/_releases/api/';

test('10 wrong tokens a minute get 401, the next ones of the network 429', async () => {
  const { url } = await startRunningSite({ variables });
  const from = (network: string, token: string) =>
    send(url, api, { headers: { 'X-Forwarded-For': network, Authorization: `Bearer ${token}` } });
  for (let times = 0; times < 10; times += 1) {
    const { status, headers } = await from('192.0.2.7', `wrong-${times}`);
    expect([status, headers['www-authenticate']]).toEqual([401, 'Bearer']);
  }
  const { status, headers, text } = await from('192.0.2.7', 'wrong');
  expect([status, Number(headers['retry-after'])]).toEqual([429, expect.closeTo(60, -2)]);
  expect(JSON.parse(text).errors).toEqual([
    expect.stringMatching(/^Too many wrong tokens\. Try again in \d+ seconds\.$/),
  ]);
  expect((await from('192.0.2.8', 'wrong')).status).toBe(401);
  expect((await from('192.0.2.7', tokens.operator)).status).toBe(200);
});

test.each([
  [{}, 'Send a token: Authorization: Bearer <token>.'],
  [{ Authorization: `Basic ${Buffer.from(`ann:${tokens.operator}`).toString('base64')}` }, 'Send a token'],
  [{ Authorization: 'Bearer __proto__' }, 'The site does not know this token.'],
])('the API needs a token in its header: %j', async (headers, message) => {
  const { url } = await startRunningSite();
  const response = await send(url, api, { headers });
  expect(response.headers).toMatchObject({ 'www-authenticate': 'Bearer', 'cache-control': 'no-store, no-transform' });
  expect(JSON.parse(response.text)).toMatchObject({ statusCode: 401, message: expect.stringContaining(message) });
});

test('a token and its remote that were added to TOKENS_FILE work at once', async () => {
  const { site, url } = await startRunningSite();
  let lines = tokenLines;
  // Several, since one could be read by the poll.
  for (const remote of ['mf-a', 'mf-b', 'mf-c', 'mf-d', 'mf-e']) {
    lines += `\n${remote} ${remote} ${hash('sha256', `token-of-${remote}`)}`;
    writeFileSync(path.join(site.folder, 'tokens.txt'), lines);
    const { status } = await send(url, `${api}${remote}`, { headers: { Authorization: `Bearer token-of-${remote}` } });
    expect(status).toBe(200);
  }
});

test('a token that was removed from TOKENS_FILE is rejected within a second', async () => {
  const { site, client } = await startRunningSite();
  expect((await client.read('/', 'legal')).status).toBe(200);
  writeFileSync(path.join(site.folder, 'tokens.txt'), tokenLines.replace(/^legal/m, '# legal'));
  await eventually(async () => expect((await client.read('/', 'legal')).status).toBe(401));
});

test('a team changes releases 100 times an hour at most, operators more often', async () => {
  const { client } = await startRunningSite();
  for (let times = 0; times < 100; times += 1) await client.change({ action: 'end', remote: 'mf-legal' }, 'legal');
  const { status, headers, json } = await client.change({ action: 'end', remote: 'mf-legal' }, 'legal');
  expect([status, Number(headers['retry-after'])]).toEqual([429, expect.closeTo(3_600, -2)]);
  expect(json.errors).toEqual([
    expect.stringMatching(/^Limit reached: 100 changes an hour\. Retry after \d\d:\d\d UTC\.$/),
  ]);
  expect((await client.change({ action: 'hold', remote: 'mf-legal' })).status).toBe(201);
});

test('a team publishes 60 releases an hour at most, operators more', async () => {
  const { client } = await startRunningSite();
  const publish = (holder: 'legal' | 'operator') =>
    client.publish({ manifest: '{}', files: {} }, '', holder, 'mf-legal');
  for (let times = 0; times < 60; times += 1) expect((await publish('legal')).status).toBe(422);
  expect((await publish('legal')).json.errors).toEqual([
    expect.stringMatching(/^Limit reached: 60 releases an hour\./),
  ]);
  expect((await publish('operator')).status).toBe(422);
});

test('a server receives two releases of a token at once, those of others beside them', async () => {
  const { url, client } = await startRunningSite();
  const { body, headers } = await bodyOf(sentOf(numbered(1)));
  const begin = () => {
    const lines = Object.entries({ Host: 'localhost', ...headers, ...bearer('legal') }).map((each) => each.join(': '));
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write(`POST ${api}mf-legal/releases HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
    return socket;
  };
  const sockets = [begin(), begin()];
  await eventually(async () => {
    const third = await client.publish(sentOf(numbered(2)), '?keep=true', 'legal');
    expect([third.status, third.headers['retry-after']]).toEqual([429, '5']);
  });
  expect((await client.publish(sentOf(numbered(1, 'mf-signup')), '', 'signup')).status).toBe(201);
  sockets[0]?.destroy();
  sockets[1]?.write(body);
  await eventually(async () => expect((await client.publish(sentOf(numbered(3)), '', 'legal')).status).toBe(201));
  sockets[1]?.destroy();
});
