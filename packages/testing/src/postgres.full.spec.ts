import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { addressOfRunning, type PostgresOptions, startPostgres } from './postgres.ts';

let parent: string;

beforeEach(() => {
  parent = join(tmpdir(), `postgres-spec-${randomUUID()}`);
  mkdirSync(parent);
});

afterEach(() => rmSync(parent, { recursive: true, force: true }));

const start = (overrides: Partial<PostgresOptions> = {}) =>
  startPostgres({ folder: join(parent, 'data'), persistent: false, settings: { fsync: 'off' }, ...overrides });

async function query(url: string, statement: string): Promise<unknown[]> {
  const client = new pg.Client(url);
  client.on('error', () => undefined);
  await client.connect();
  const { rows } = await client.query(statement);
  await client.end();
  return rows;
}

describe('the embedded database', () => {
  test('listens only on 127.0.0.1 and requires the password', async () => {
    const postgres = await start();
    expect(await query(postgres.url, 'SHOW listen_addresses')).toEqual([{ listen_addresses: '127.0.0.1' }]);
    const withoutPassword = Object.assign(new URL(postgres.url), { password: 'guess' }).href;
    await expect(query(withoutPassword, 'SELECT 1')).rejects.toThrow('password authentication failed');
    expect(statSync(join(parent, 'data.password')).mode & 0o777).toBe(0o600);
    await postgres.stop();
  });

  test('retains its data after the next start and after a restart on the same port', async () => {
    const first = await start({ persistent: true });
    await query(first.url, 'CREATE TABLE stored AS SELECT 1 AS one');
    await first.kill();
    await first.resume();
    expect(await query(first.url, 'SELECT * FROM stored')).toEqual([{ one: 1 }]);
    await first.stop();
    const second = await start();
    expect(await query(second.url, 'SELECT * FROM stored')).toEqual([{ one: 1 }]);
    await second.stop();
  });

  test('restarts with all committed data after a kill with an open connection', async () => {
    const postgres = await start();
    const client = new pg.Client(postgres.url);
    client.on('error', () => undefined);
    await client.connect();
    await client.query('CREATE TABLE stored AS SELECT 1 AS one');
    await postgres.kill();
    await postgres.resume();
    expect(await query(postgres.url, 'SELECT * FROM stored')).toEqual([{ one: 1 }]);
    await postgres.stop();
  });

  test('can be found by its folder while it runs', async () => {
    const folder = join(parent, 'data');
    expect(await addressOfRunning(folder)).toBeUndefined();
    expect(existsSync(`${folder}.password`)).toBe(false);
    const postgres = await start({ persistent: true });
    expect(await addressOfRunning(folder)).toBe(postgres.url);
    await postgres.kill();
    await postgres.resume();
    expect(await addressOfRunning(folder)).toBe(postgres.url);
    await postgres.stop();
    expect(await addressOfRunning(folder)).toBeUndefined();
  });

  test('removes all its files when it is not persistent', async () => {
    const postgres = await start();
    await postgres.stop();
    expect([join(parent, 'data'), join(parent, 'data.password')].filter(existsSync)).toEqual([]);
  });

  test('rejects a folder that a running process uses', async () => {
    const postgres = await start();
    await expect(start()).rejects.toThrow(`is in use by process ${process.pid}`);
    await postgres.stop();
  });

  test('stops the server that a killed run left running', async () => {
    const script = `
      import { startPostgres } from ${JSON.stringify(join(import.meta.dirname, 'postgres.ts'))};
      const { url } = await startPostgres({ folder: ${JSON.stringify(join(parent, 'data'))}, persistent: true });
      console.log(url);
      process.kill(process.pid, 'SIGKILL');
    `;
    const killed = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const url = (await text(killed.stdout)).trim();
    expect(await query(url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    const postgres = await start();
    await expect(query(url, 'SELECT 1')).rejects.toThrow('ECONNREFUSED');
    await postgres.stop();
  });

  test('ends with the process that started it, even if that never stops it', async () => {
    const script = `
      import { startPostgres } from ${JSON.stringify(join(import.meta.dirname, 'postgres.ts'))};
      await startPostgres({ folder: ${JSON.stringify(join(parent, 'data'))}, persistent: true });
      process.exit();
    `;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(child, 'close');
    const postgres = await start();
    expect(readFileSync(join(parent, 'data/postmaster.pid'), 'utf8')).toContain(new URL(postgres.url).port);
    await postgres.stop();
  });

  test('runs in a folder that only its owner can read, also as root', async () => {
    const closed = mkdtempSync(join(parent, 'closed-'));
    chmodSync(closed, 0o700);
    const postgres = await start({ folder: join(closed, 'data') });
    expect(await query(postgres.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await postgres.stop();
  });

  test('reports a missing password file next to existing data', async () => {
    const postgres = await start({ persistent: true });
    await postgres.stop();
    rmSync(join(parent, 'data.password'));
    await expect(start()).rejects.toThrow('has lost its password file');
  });
});
