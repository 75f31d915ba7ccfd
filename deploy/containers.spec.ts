import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { eventually } from '@daybook/testing/eventually';
import { makeTemporaryFolder } from '@daybook/testing/temporary-folder';
import { root } from '@daybook/testing/workspaces';
import { afterEach, beforeEach, expect, test } from '@jest/globals';

let folder: string;
const started: ReturnType<typeof spawn>[] = [];
beforeEach(() => {
  folder = makeTemporaryFolder();
});
afterEach(() => {
  // With its children, as the end of a container.
  for (const { pid } of started.splice(0)) spawnSync('sh', ['-c', `kill -KILL -${pid}`]);
  rmSync(folder, { recursive: true });
});

/** Starts start.sh with the folder of this test as /tmp, and with scripts in place of programs. */
function start(programs: Readonly<Record<string, string>>) {
  for (const [program, script] of Object.entries(programs))
    writeFileSync(path.join(folder, program), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  const script = readFileSync(path.join(root, 'deploy/remote/start.sh'), 'utf8').replaceAll('/tmp/', `${folder}/`);
  const env = { PATH: `${folder}:${process.env.PATH}`, FOLDER: folder };
  const child = spawn('sh', ['-c', script], { env, stdio: 'ignore', detached: true });
  started.push(child);
  return child;
}
const read = (name: string) => {
  const file = path.join(folder, name);
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
};

test('a remote publishes, after rejections later each time, then stays until it is stopped', async () => {
  const node = 'echo >> "$FOLDER/published"; [ "$(wc -l < "$FOLDER/published")" = 9 ]';
  const sleep = `echo "$* after $(cat "$FOLDER/outcome")" >> "$FOLDER/slept"; [ "$1" != infinity ] || exec tail -f /dev/null`;
  const container = start({ node, sleep });
  const pauses = [10, 20, 40, 80, 160, 300, 300, 300].map((pause) => `${pause} after 1\n`);
  await eventually(() => expect(read('slept')).toBe(`${pauses.join('')}infinity after 0\n`));
  expect(container.exitCode).toBeNull();
  container.kill('SIGTERM');
  expect(await once(container, 'exit')).toEqual([0, null]);
});

test('a remote is stopped at once while it publishes, without an outcome', async () => {
  writeFileSync(path.join(folder, 'outcome'), '1\n');
  const container = start({ node: 'echo > "$FOLDER/begun"; exec tail -f /dev/null' });
  await eventually(() => expect(read('begun')).not.toBe(''));
  container.kill('SIGTERM');
  expect(await once(container, 'exit')).toEqual([0, null]);
  expect(read('outcome')).toBe('');
});

test('with --once, a server that was ready is healthy as long as it responds', async () => {
  const code: Record<string, number> = { '/readyz': 503, '/healthz': 200 };
  const server = createServer(({ url = '' }, response) => void response.writeHead(code[url] ?? 404).end());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const env = { ...process.env, PORT: String((server.address() as AddressInfo).port), TMPDIR: folder };
  const check = async (...words: readonly string[]) => {
    const [code] = await once(spawn('bash', [path.join(root, 'deploy/health/ready.sh'), ...words], { env }), 'exit');
    return code;
  };
  expect(await check('--once')).toBe(1);
  code['/readyz'] = 200;
  expect([await check(), await check('--once')]).toEqual([0, 0]);
  code['/readyz'] = 503;
  expect([await check(), await check('--once')]).toEqual([1, 0]);
  code['/healthz'] = 503;
  expect(await check('--once')).toBe(1);
  server.close().closeAllConnections();
});
