import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { eventually } from '@daybook/testing/eventually';
import { describe, expect, test } from '@jest/globals';
import { emergencyNotice } from './support/factories.ts';
import { addressOf, runBackend as run } from './support/processes.ts';
import { send } from './support/test-backend.ts';
import { useDatabase } from './support/use-backend.ts';

const database = useDatabase({ migrated: false });

const serverEnvironment = (overrides: Record<string, string> = {}) => ({
  DATABASE_URL: database.url,
  COOKIE_SECRET: 'x'.repeat(32),
  PORT: '0',
  DRAIN_SECONDS: '0',
  ...overrides,
});

describe('the migrator', () => {
  test('prints the migrations that ran, or that the database is up to date', async () => {
    const first = await run('migrate', { DATABASE_URL: database.url }).ended;
    expect(first).toEqual({
      exitCode: 0,
      output: expect.stringMatching(/^(?:Ran migration \w+\d+\.\n)+$/),
      errors: '',
    });
    const second = await run('migrate', { DATABASE_URL: database.url }).ended;
    expect(second).toMatchObject({ exitCode: 0, output: expect.stringContaining('up to date') });
  });

  test.each([
    ['without a database', {}, 'These settings cannot be used:\n  DATABASE_URL: is required\n'],
    [
      'if nothing listens',
      { DATABASE_URL: 'postgres://127.0.0.1:1/x' },
      /^The database at DATABASE_URL cannot be reached: .+\n$/,
    ],
    ['if the login is rejected', 'wrong password', /^The database at DATABASE_URL rejects the login: .+\n$/],
  ])('exits with code 1 and a message without a stack %s', async (_when, environment, message) => {
    const wrong = () => ({ DATABASE_URL: Object.assign(new URL(database.url), { password: 'wrong' }).href });
    const { exitCode, errors } = await run('migrate', typeof environment === 'string' ? wrong() : environment).ended;
    expect(exitCode).toBe(1);
    expect(errors).toMatch(message);
    expect(errors).not.toMatch(/^ +at /m);
  });
});

describe('the server', () => {
  test.each(['SIGTERM', 'SIGINT'] as const)(
    'completes the request in progress and exits with code 0 on %s',
    async (signal) => {
      const { child, ended } = run('main', serverEnvironment());
      const { port } = new URL(await addressOf(child));
      const socket = connect(Number(port), '127.0.0.1');
      const body = '{"email":"late@example.com"}';
      socket.write(
        `POST /api/waitlist HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\nexpect: 100-continue\r\n\r\n`,
      );
      await once(socket, 'data');
      child.kill(signal);
      socket.write(body);
      expect(await text(socket)).toContain('HTTP/1.1 201 Created');
      expect(await ended).toMatchObject({ exitCode: 0, errors: '' });
    },
  );

  test('drains on SIGTERM: is not ready, still serves requests, and exits with code 0', async () => {
    const { child, ended } = run('main', serverEnvironment({ DRAIN_SECONDS: '1' }));
    const address = await addressOf(child);
    expect(await send(`${address}/readyz`, 'GET')).toMatchObject({ status: 200, body: { status: 'ready' } });
    child.kill('SIGTERM');
    const reason = 'The server is about to stop.';
    await eventually(async () =>
      expect(await send(`${address}/readyz`, 'GET')).toMatchObject({ status: 503, body: { reason } }),
    );
    expect((await send(`${address}/healthz`, 'GET')).status).toBe(200);
    const { status, headers } = await send(`${address}/api/waitlist`, 'POST', { json: { email: 'a@example.com' } });
    expect([status, headers.get('connection')]).toEqual([201, 'close']);
    expect((await ended).exitCode).toBe(0);
  });

  test('exits at once on a repeated signal, but not on a different one', async () => {
    const { child, ended } = run('main', serverEnvironment({ DRAIN_SECONDS: '600' }));
    const address = await addressOf(child);
    child.kill('SIGINT');
    await eventually(async () => expect((await send(`${address}/readyz`, 'GET')).status).toBe(503));
    child.kill('SIGTERM');
    expect((await send(`${address}/readyz`, 'GET')).status).toBe(503);
    child.kill('SIGTERM');
    expect((await ended).exitCode).toBe(143);
  });

  test('names every invalid setting and exits with code 1', async () => {
    const { exitCode, errors } = await run('main', { PORT: 'x' }).ended;
    expect(exitCode).toBe(1);
    expect(errors).toMatch(
      /^These settings cannot be used:\n {2}DATABASE_URL: .+\n {2}PORT: .+\n {2}COOKIE_SECRET: .+\n$/,
    );
  });

  test('exits with code 1 if the database is unreachable', async () => {
    const { exitCode, errors } = await run('main', { ...serverEnvironment(), DATABASE_URL: 'postgres://127.0.0.1:1/x' })
      .ended;
    expect(exitCode).toBe(1);
    expect(errors).toMatch(/^The database at DATABASE_URL cannot be reached: .+\n$/);
  });

  test('reveals no details of an unexpected error to the client, and logs no address', async () => {
    const { child, ended } = run('main', serverEnvironment());
    const address = await addressOf(child);
    await database.query('ALTER TABLE emergency_notice ADD CHECK (false)');
    const notice = emergencyNotice({ email: 'ada.lovelace@example.com' });
    expect((await send(`${address}/api/emergency-webhook`, 'POST', { json: notice })).body).toEqual({
      statusCode: 500,
      message: 'Something went wrong. Please try again.',
      error: 'INTERNAL',
    });
    await send(`${address}/api/waitlist/by-email?email=ada.lovelace%40example.com`, 'GET');
    await send(`${address}/api/nothing?email=ada.lovelace@example.com`, 'GET');
    child.kill('SIGTERM');
    const { output, errors } = await ended;
    expect(errors).toBe('');
    expect(output).toContain('INTERNAL at POST /api/emergency-webhook');
    expect(output + errors).not.toMatch(/lovelace|example\.com/);
  });
});
