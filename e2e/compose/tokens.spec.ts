import { hash, randomBytes } from 'node:crypto';
import { mkdtempDisposableSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from '@daybook/testing/browser-test';
import { docker } from '@daybook/testing/compose';
import * as stack from './stack.ts';

const remote = 'mf-legal';

test('a team publishes with its own token, without a restart', async ({ baseURL, started }) => {
  const { path: folder } = started.use(mkdtempDisposableSync(path.join(tmpdir(), 'daybook-team-')));
  const [file, token] = [path.join(folder, 'token'), randomBytes(32).toString('hex')];
  writeFileSync(file, token, { mode: 0o644 });
  /** Publishes the release of the image from this machine, through the edge; returns what the program says within a minute. */
  function publish(): Promise<string> {
    const options = ['--network=host', `--volume=${file}:/run/secrets/release-token:ro`, `--env=SITE_URL=${baseURL}`];
    const command = ['sh', '-c', 'timeout 60 node packages/releases/src/publish.ts 2>&1 || true'];
    return docker('run', '--rm', ...options, `daybook/${remote}:${stack.version}`, ...command);
  }
  const secret = (name: string) => path.join(stack.folder, 'secrets', name);
  const handOut = async (tokens: string) => {
    writeFileSync(secret('tokens'), tokens);
    await stack.compose('run', '--rm', '-T', 'secrets');
  };
  const shell = await stack.containerId('shell-a');
  const toPublish = () => expect.poll(publish, { timeout: stack.healthTimeout });
  try {
    expect(await publish()).toContain('401');
    // Its container publishes no more.
    writeFileSync(secret(`${remote}.token`), '');
    await handOut(`legal-ci ${remote} ${hash('sha256', token)}\n`);
    await toPublish().toContain('nothing has changed');
    await handOut('');
    await toPublish().toContain('401');
    await stack.compose('restart', remote);
    await stack.expectHealth(remote).toBe('healthy');
    expect(await stack.containerId('shell-a')).toBe(shell);
  } finally {
    for (const name of ['tokens', `${remote}.token`]) rmSync(secret(name), { force: true });
    await stack.upgrade([remote]);
  }
});
