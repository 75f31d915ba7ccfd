import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import { findFreePort } from '@daybook/testing/ports';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { anAddress, signUp } from './support/factories.ts';
import { until } from './support/until.ts';
import { useBackend } from './support/use-backend.ts';

const document = readFileSync(join(import.meta.dirname, '../../docs/webhooks.md'), 'utf8');
const example = /```js\n(.+?)\n```/s.exec(document)?.[1] ?? '';
const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

const { database, backend, restart } = useBackend();
let receiver: ChildProcess;
let output: Interface;
let url: string;

beforeAll(async () => {
  const port = await findFreePort();
  url = `http://127.0.0.1:${port}`;
  receiver = spawn(process.execPath, ['--input-type=module', '--eval', example], {
    cwd: join(import.meta.dirname, '..'),
    env: { WEBHOOK_SECRET: secret, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  output = createInterface({ input: receiver.stdout ?? ([] as never) });
  await until('the receiver of the document listens', () => fetch(url).catch(() => undefined));
  await restart({ WEBHOOK_URL: url, WEBHOOK_SECRET: [secret] });
});

afterAll(() => void receiver?.kill());

describe('the receiver in docs/webhooks.md', () => {
  test('processes an event once if it is delivered twice', async () => {
    const [first, second] = [anAddress(), anAddress()];
    const lines: string[] = [];
    output.on('line', (line) => lines.push(line));
    await signUp(backend, { email: first });
    const delivered = () => database.query("SELECT FROM outbox_event WHERE status = 'delivered'");
    await until('the event is delivered', async () => (await delivered()).length === 1);
    await database.query("UPDATE outbox_event SET status = 'pending', next_attempt_at = now()");
    await until('it is delivered again', async () => (await delivered()).length === 1);
    await signUp(backend, { email: second });
    while (lines.length < 2) await once(output, 'line');
    expect(lines).toEqual([`signup.created ${first}`, `signup.created ${second}`]);
  });

  test('rejects unsigned requests, and keeps running', async () => {
    const forged = {
      'webhook-id': '1',
      'webhook-timestamp': `${Math.floor(Date.now() / 1000)}`,
      'webhook-signature': 'v1,eA==',
    };
    expect((await fetch(url, { method: 'POST', body: '{}', headers: forged })).status).toBe(400);
    expect((await fetch(url, { method: 'POST', body: '{}' })).status).toBe(400);
  });
});
