import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { mkdtempDisposableSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { docker } from '@daybook/testing/compose';
import { expect, test } from '../support/test.ts';
import * as stack from './stack.ts';

const remote = 'mf-legal';
const newKey = () => String(generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }));
const lineOf = (pem: string) => `${remote}:${createPublicKey(pem).export({ format: 'jwk' }).x}\n`;

test('a team releases with keys of its own, which rotate without a restart, and its container publishes no more', async ({
  baseURL,
  started,
}) => {
  const { path: folder } = started.use(mkdtempDisposableSync(path.join(tmpdir(), 'daybook-team-')));
  const keyFile = path.join(folder, 'key.pem');
  /** Publishes the release of the image from this machine, through the edge; returns what the program says within a minute. */
  function publish(pem: string): Promise<string> {
    writeFileSync(keyFile, pem);
    const options = ['--network=host', `--volume=${keyFile}:/run/secrets/release-key:ro`, `--env=SITE_URL=${baseURL}`];
    const command = ['sh', '-c', 'timeout 60 node packages/releases/src/publish/main.ts 2>&1 || true'];
    return docker('run', '--rm', ...options, `daybook/${remote}:${stack.version}`, ...command);
  }
  // Read as a given file without SECRETS_FOLDER, too.
  const teamKeys = path.join(stack.folder, 'deploy/secrets/team-keys');
  const handOut = async (...lines: readonly string[]) => {
    writeFileSync(teamKeys, lines.join(''));
    await stack.deploy('rotate', ['team-keys']);
  };
  const [first, next] = [newKey(), newKey()];
  const shell = await stack.containerIds('shell');
  const toPublish = (pem: string) => expect.poll(() => publish(pem), { timeout: stack.healthTimeout });
  try {
    expect(await publish(first)).toContain('401');
    await handOut(lineOf(first));
    await toPublish(first).toContain('nothing has changed');
    await stack.compose('restart', remote);
    await stack.expectHealth(remote).toBe('healthy');
    expect(await stack.compose('logs', '--tail', '1', remote)).toContain('its team publishes from elsewhere');

    await handOut(lineOf(first), lineOf(next));
    await toPublish(next).toContain('nothing has changed');
    await toPublish(first).toContain('nothing has changed');
    await handOut(lineOf(next));
    await toPublish(first).toContain('401');
    await toPublish(next).toContain('nothing has changed');
    writeFileSync(teamKeys, 'mf-legal:none\n');
    await expect(stack.deploy('rotate', ['team-keys'])).rejects.toThrow('team-keys has a line that is not');
    await toPublish(next).toContain('nothing has changed');
    expect(await stack.containerIds('shell')).toEqual(shell);
  } finally {
    rmSync(teamKeys, { force: true });
    await stack.deploy('rotate', ['team-keys', `${remote}.pem`]);
    await stack.untilAllHealthy();
  }
});
