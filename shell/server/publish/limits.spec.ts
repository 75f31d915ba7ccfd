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
  const without = await send(url, api);
  expect([without.status, JSON.parse(without.text).message]).toEqual([
    401,
    'Send a token: Authorization: Bearer <token>.',
  ]);
});

test('tokens added to TOKENS_FILE work at once, removed ones are rejected soon', async () => {
  const { site, client, url } = await startRunningSite();
  const file = path.join(site.folder, 'tokens.txt');
  // Several, since one could be read by the poll.
  for (const name of ['a', 'b', 'c', 'd', 'e']) {
    writeFileSync(file, `${tokenLines}\n${name} mf-${name} ${hash('sha256', name)}`);
    const { status } = await send(url, `${api}mf-${name}`, { headers: { Authorization: `Bearer ${name}` } });
    expect(status).toBe(200);
  }
  writeFileSync(file, tokenLines.replace(/^legal/m, '# legal'));
  await eventually(async () => expect((await client.read('/', 'legal')).status).toBe(401));
});

test('a team makes 100 changes and 60 releases an hour at most, operators more', async () => {
  const { client } = await startRunningSite();
  const end = (holder: 'legal' | 'operator') => client.change({ action: 'end', remote: 'mf-legal' }, holder);
  const publish = (holder: 'legal' | 'operator') =>
    client.publish({ manifest: '{}', files: {} }, '', holder, 'mf-legal');
  for (const [call, max, what] of [
    [end, 100, '100 changes'],
    [publish, 60, '60 releases'],
  ] as const) {
    for (let times = 0; times < max; times += 1) expect((await call('legal')).status).toBe(422);
    const { status, headers, json } = await call('legal');
    const limit = expect.stringMatching(`^Limit reached: ${what} an hour\\. Retry after \\d\\d:\\d\\d UTC\\.$`);
    expect([status, Number(headers['retry-after']), json.errors]).toEqual([429, expect.closeTo(3_600, -2), [limit]]);
    expect((await call('operator')).status).toBe(422);
  }
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
