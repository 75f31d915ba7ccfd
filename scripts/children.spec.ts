import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, describe, expect, test } from '@jest/globals';
import { exitCode, startNode, startServer, stopAllChildren, stopChild } from './children.ts';

const started: ChildProcess[] = [];
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
});

const asText = (program: string) => ['--input-type=module', '--eval', program];

function track(child: ChildProcess): ChildProcess {
  started.push(child);
  return child;
}

/** Starts a program given as text. */
const run = (program: string, environment: Record<string, string> = {}) =>
  track(startNode(asText(program), { environment }));

/** Starts a server given as text, and waits for the message that it sends. */
async function serve(program: string, environment: Record<string, string> = {}) {
  const child = track(startServer(asText(program), environment));
  const [message]: unknown[] = await once(child, 'message');
  return { child, message };
}

const stayAlive = 'setInterval(() => undefined, 1000);';
const sayReady = 'process.send("ready");';

describe('a program that was started', () => {
  test.each([0, 3])('gives its exit code: %p', async (code) => {
    expect(await exitCode(run(`process.exit(${code})`))).toBe(code);
  });

  test('gives its exit code though it ended before anyone asked', async () => {
    const child = run('process.exit(3)');
    await once(child, 'exit');
    expect(await exitCode(child)).toBe(3);
  });

  test('counts as failed where a signal ended it', async () => {
    const child = run(stayAlive);
    child.kill('SIGKILL');
    expect(await exitCode(child)).toBe(1);
  });

  test('sees the environment of its parent, and what was added', async () => {
    const program = 'process.exit(process.env.PATH && process.env.ADDED === "yes" ? 7 : 0)';
    expect(await exitCode(run(program, { ADDED: 'yes' }))).toBe(7);
  });
});

describe('a server that was started', () => {
  test('sees the environment of its parent, and what was added', async () => {
    const program = `process.send([typeof process.env.PATH, process.env.ADDED]); ${stayAlive}`;
    expect((await serve(program, { ADDED: 'yes' })).message).toEqual(['string', 'yes']);
  });

  test('ends by itself though the channel to its parent is open', async () => {
    expect(await exitCode(track(startServer(asText('undefined'), {})))).toBe(0);
  });

  test('ends with its parent', async () => {
    const { child } = await serve(stayAlive + sayReady);
    child.disconnect();
    await once(child, 'exit');
    expect(child.signalCode).toBe('SIGTERM');
  });
});

describe('stopping', () => {
  test('lets a child finish what it does', async () => {
    const { child } = await serve(`process.once('SIGTERM', () => process.exit(7)); ${stayAlive} ${sayReady}`);
    await stopChild(child);
    expect(child.exitCode).toBe(7);
  });

  test('ends a child that does not listen', async () => {
    const { child } = await serve(`process.on('SIGTERM', () => undefined); ${stayAlive} ${sayReady}`);
    await stopChild(child, 100);
    expect(child.signalCode).toBe('SIGKILL');
  });

  test('does nothing to a child that has ended', async () => {
    const child = run('process.exit(3)');
    await once(child, 'exit');
    await stopChild(child);
    expect(child.exitCode).toBe(3);
  });

  test('all children stops programs and servers alike', async () => {
    const { child: server } = await serve(stayAlive + sayReady);
    const program = run(stayAlive);
    await stopAllChildren();
    expect([server.signalCode, program.signalCode]).toEqual(['SIGTERM', 'SIGTERM']);
  });
});
