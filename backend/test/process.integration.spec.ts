import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { emergencyNotice } from './support/factories.ts';
import { send } from './support/test-backend.ts';
import { createTestDatabase, type TestDatabase } from './support/test-database.ts';

jest.setTimeout(60_000);

const backendFolder = join(import.meta.dirname, '..');
let database: TestDatabase;

beforeAll(async () => {
  const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');
  await promisify(execFile)(process.execPath, [compiler, '-b'], { cwd: backendFolder });
  database = await createTestDatabase({ migrated: false });
});

afterAll(async () => {
  await database?.drop();
});

/** Runs a built program with nothing in its environment but what is given. */
function run(program: 'main' | 'migrate', environment: Record<string, string>) {
  const child = spawn(process.execPath, [join(backendFolder, `dist/${program}.js`)], { env: environment });
  const output = Promise.all([text(child.stdout), text(child.stderr)]);
  const ended = once(child, 'close').then(async ([exitCode]) => {
    const [standard, errors] = await output;
    return { exitCode, standard, errors };
  });
  return { child, ended };
}

const serverEnvironment = () => ({ DATABASE_URL: database.url, COOKIE_SECRET: 'x'.repeat(32), PORT: '0' });

async function addressOf(child: ChildProcess): Promise<string> {
  for await (const line of createInterface({ input: child.stdout ?? ([] as never) })) {
    const [address] = /http:\S+\d/.exec(line) ?? [];
    if (address) return address;
  }
  throw new Error('The backend ended before it listened.');
}

describe('the migrator', () => {
  test('says what it ran, and that nothing is left to run', async () => {
    const first = await run('migrate', { DATABASE_URL: database.url }).ended;
    expect(first).toEqual({
      exitCode: 0,
      standard: expect.stringMatching(/^(?:Ran migration \w+\d+\.\n)+$/),
      errors: '',
    });
    const second = await run('migrate', { DATABASE_URL: database.url }).ended;
    expect(second).toMatchObject({ exitCode: 0, standard: expect.stringContaining('up to date') });
  });

  test.each([
    ['without a database', {}, 'The environment cannot be used: DATABASE_URL is required.\n'],
    [
      'when nothing listens',
      { DATABASE_URL: 'postgres://127.0.0.1:1/x' },
      /^The database at DATABASE_URL cannot be reached: .+\n$/,
    ],
    ['when the login is refused', 'wrong password', /^The database at DATABASE_URL cannot be reached: .+\n$/],
  ])('ends with code 1 and one line %s', async (_when, environment, message) => {
    const wrong = () => ({ DATABASE_URL: Object.assign(new URL(database.url), { password: 'wrong' }).href });
    const { exitCode, errors } = await run('migrate', typeof environment === 'string' ? wrong() : environment).ended;
    expect(exitCode).toBe(1);
    expect(errors).toMatch(message);
    expect(errors.trim().split('\n')).toHaveLength(1);
  });
});

describe('the server', () => {
  test.each(['SIGTERM', 'SIGINT'] as const)(
    'answers the request under way and ends with code 0 on %s',
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

  test('names every bad variable and ends with code 1', async () => {
    const { exitCode, errors } = await run('main', { PORT: 'x' }).ended;
    expect(exitCode).toBe(1);
    expect(errors).toMatch(/^The environment cannot be used: DATABASE_URL .+, PORT .+, and COOKIE_SECRET .+\n$/);
  });

  test('ends with code 1 when the database cannot be reached', async () => {
    const { exitCode, errors } = await run('main', { ...serverEnvironment(), DATABASE_URL: 'postgres://127.0.0.1:1/x' })
      .ended;
    expect(exitCode).toBe(1);
    expect(errors).toMatch(/^The database at DATABASE_URL cannot be reached: .+\n$/);
  });

  test('tells the client nothing of an unexpected failure, and the log no address', async () => {
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
    const { standard, errors } = await ended;
    expect(errors).toContain('INTERNAL at POST /api/emergency-webhook');
    expect(standard + errors).not.toMatch(/ada|lovelace|example\.com/);
  });
});
