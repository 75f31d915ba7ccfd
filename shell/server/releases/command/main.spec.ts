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

/** Runs the command in its own process, like an operator. */
function releases(...parameters: readonly string[]) {
  return releasesWith({}, ...parameters);
}
function releasesWith(environment: Readonly<Record<string, string>>, ...parameters: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [path.join(import.meta.dirname, 'main.ts'), ...parameters],
    { encoding: 'utf8', env: { RELEASES_FOLDER: folder.folder, ...environment } },
  );
  return { status, stdout, stderr };
}

describe('the releases command', () => {
  test('rolls a release back in the log that running servers read', () => {
    const { status, stdout, stderr } = releases('rollback', 'mf-legal', '--by', 'Ann', '--why', 'no heading');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toContain(`mf-legal: ${second} is rolled back; visitors get ${first}.`);
    folder.log.refresh();
    expect(folder.log.stateOf('mf-legal').active).toBe(first);
    expect(folder.log.changes().at(-1)).toMatchObject({ by: 'Ann', why: 'no heading' });
  });

  test('changes nothing in a container, whose user is nobody’s, without the name of the operator', () => {
    const rollback = ['rollback', 'mf-legal', '--why', 'no heading'];
    expect(releasesWith({ OPERATOR: '' }, ...rollback)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('Name the operator of this change, for the log: --by <name>'),
    });
    folder.log.refresh();
    expect(folder.log.stateOf('mf-legal').active).toBe(second);
    expect(releasesWith({ OPERATOR: 'Ann' }, ...rollback).status).toBe(0);
    folder.log.refresh();
    expect(folder.log.changes().at(-1)).toMatchObject({ by: 'Ann' });
  });

  test('fails with one line and no stack if nothing was changed', () => {
    expect(releases('canary', 'mf-legal', first, '150')).toEqual({
      status: 1,
      stdout: '',
      stderr: 'The share of visitors must be a whole number from 0 to 100, not “150”.\n',
    });
  });
});
