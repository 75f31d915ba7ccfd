import { generateKeyPairSync } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { remotes } from '@daybook/testing/workspaces';
import { expect, test } from '../support/test.ts';
import * as stack from './stack.ts';

test('a team begins to sign: with its key, only the image that is built with it is accepted', async () => {
  const inStack = (file: string) => path.join(stack.folder, file);
  // Read as a given file without SECRETS_FOLDER, too.
  const trustedKeys = inStack('deploy/secrets/trusted-keys');
  const override = inStack('docker-compose.override.yml');
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const { x: key = '' } = publicKey.export({ format: 'jwk' });
  writeFileSync(inStack('mf-legal.pem'), privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
  const handOut = () => stack.deploy('rotate', ['trusted-keys']);
  const expectOverview = (remote: string, overview: Record<string, unknown>) =>
    expect(async () => {
      const shown = JSON.parse(await stack.exec('shell', 'releases', 'show', remote, '--json'));
      expect(shown).toMatchObject(overview);
    }).toPass({ timeout: stack.healthTimeout });
  try {
    writeFileSync(trustedKeys, remotes.map((remote) => `${remote}:${remote === 'mf-legal' ? key : 'none'}\n`).join(''));
    await handOut();
    const message = expect.stringContaining('it is not signed');
    await expectOverview('mf-legal', { origin: { problem: { reason: 'signature', message } } });
    await expectOverview('mf-privacy', { origin: { problem: null } });

    writeFileSync(
      override,
      'services: { mf-legal: { build: { secrets: [release-key] } } }\nsecrets: { release-key: { file: ./mf-legal.pem } }\n',
    );
    // Secrets are no part of the build cache.
    stack.changeSource('mf-legal/src/remote.ts', "title: '", "title: 'Our ");
    await stack.compose('up', '--detach', '--build', 'mf-legal');
    await expectOverview('mf-legal', { origin: { problem: null }, signature: { key } });
    // What the alert SignatureExpires watches; only of remotes that need a signature.
    const expiry = /^daybook_release_signature_expiry_timestamp_seconds.*$/gm;
    const [id = ''] = await stack.containerIds('shell');
    expect((await stack.readMetrics(id, 8080)).match(expiry)).toEqual([
      expect.stringMatching(/\{remote="mf-legal"\} \d+(?:\.\d+)?(?:e\+\d+)?$/),
    ]);
  } finally {
    for (const file of [trustedKeys, override]) rmSync(file, { force: true });
    await handOut();
    await stack.untilAllHealthy();
  }
});
