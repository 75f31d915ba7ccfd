import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createTemporaryReleases, type TemporaryReleases, versionOf } from '../../test/release-folder.ts';

const [first, second] = [versionOf(1), versionOf(2)];

let folder: TemporaryReleases;
beforeEach(async () => {
  folder = createTemporaryReleases();
  for (const version of [first, second]) {
    await folder.add('mf-legal', version);
    folder.activate('mf-legal', version, { by: 'mirror' });
  }
});
afterEach(() => folder.remove());

/** Runs the command as a process of its own, as an operator would. */
function releases(parameters: readonly string[], variables: Readonly<Record<string, string>> = {}) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [path.join(import.meta.dirname, 'main.ts'), ...parameters],
    { encoding: 'utf8', env: { RELEASES_FOLDER: folder.folder, ...variables } },
  );
  return { status, stdout, stderr };
}

describe('the releases command', () => {
  test('takes a release back, which a running server reads from the log', () => {
    const { status, stdout, stderr } = releases(['rollback', 'mf-legal', '--by', 'Ann', '--why', 'no heading']);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toContain(`mf-legal: ${second} is taken back; visitors get ${first}.`);
    folder.log.refresh();
    expect(folder.log.stateOf('mf-legal').active).toBe(first);
    expect(folder.log.changes().at(-1)).toMatchObject({ by: 'Ann', why: 'no heading' });
  });

  test('fails with one line and no stack where nothing was done', () => {
    expect(releases(['canary', 'mf-legal', first, '150'])).toEqual({
      status: 1,
      stdout: '',
      stderr: 'The share of visitors must be a whole number from 0 to 100, not “150”.\n',
    });
  });

  test('knows the remotes of REMOTES, released or not', () => {
    const variables = { REMOTES: 'mf-legal=file:mf-legal/dist, mf-new=http://mf-new:8080' };
    expect(releases(['list'], variables).stdout).toMatch(/^mf-new +– +0 +no release yet$/m);
    expect(releases(['list']).stdout).not.toContain('mf-new');
  });

  test('sees the remotes that a running server has brought too, and can take them back', async () => {
    const server = createTemporaryReleases(['mf-added']);
    try {
      for (const version of [first, second]) {
        await server.add('mf-added', version);
        server.activate('mf-added', version, { by: 'mirror' });
      }
      const variables = { RELEASES_FOLDER: server.folder, REMOTES: 'mf-legal=file:mf-legal/dist' };
      expect(releases(['list'], variables).stdout).toMatch(
        new RegExp(`^mf-legal .*no release yet\nmf-added +${second} .* not in REMOTES of this command$`, 'm'),
      );
      expect(releases(['show', 'mf-added'], variables).stdout).toContain(first);
      expect(releases(['rollback', 'mf-added'], variables).stdout).toContain(`visitors get ${first}.`);
      expect(releases(['show', 'mf-gone'], variables).stderr).toBe(
        'There is no remote “mf-gone”; there are mf-legal, mf-added.\n',
      );
    } finally {
      server.remove();
    }
  });

  test('says where it looks for a folder that is not there', () => {
    const { status, stderr } = releases(['list'], { RELEASES_FOLDER: '/nowhere/releases' });
    expect(status).toBe(1);
    expect(stderr).toMatch(/^There is no releases folder at \/nowhere\/releases\. .*RELEASES_FOLDER.*\n$/);
  });
});
