import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { type ReleasesDatabase, startReleasesDatabase } from '@daybook/testing/releases-database';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { PostgresRegistry } from '../src/registry/postgres-registry.ts';
import { createTemporaryReleases, type TemporaryReleases, versionOf } from '../src/test/release-folder.ts';

const [first, second] = [versionOf(1), versionOf(2)];

let database: ReleasesDatabase;
let site: TemporaryReleases;
beforeAll(async () => {
  database = await startReleasesDatabase();
});
afterAll(() => database.stop());
beforeEach(async () => {
  await database.empty();
  site = createTemporaryReleases(['mf-legal'], new PostgresRegistry(database.shellUrl));
  for (const version of [first, second]) {
    await site.add('mf-legal', version);
    await site.activate('mf-legal', version, { by: 'mirror' });
  }
});
afterEach(async () => {
  await site.registry.close();
  site.remove();
});

const command = [process.execPath, path.join(import.meta.dirname, '../src/command/main.ts')] as const;
const variables = () => ({ REMOTES: 'mf-legal=file:a', RELEASES_DATABASE_URL: database.shellUrl });

/** Runs the command in its own process, like an operator. */
function releases(environment: Readonly<Record<string, string>>, ...parameters: readonly string[]) {
  const [program, ...entry] = command;
  const env = { ...variables(), ...environment };
  const { status, stdout, stderr } = spawnSync(program, [...entry, ...parameters], { encoding: 'utf8', env });
  return { status, stdout, stderr };
}

describe('the releases command', () => {
  test('rolls a release back in the registry that running servers read, if it knows the name of the operator', async () => {
    const rollback = ['rollback', 'mf-legal', '--why', 'no heading'];
    // In a container, whose user is nobody’s.
    expect(releases({ OPERATOR: '' }, ...rollback)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('Name the operator, for the log: --by <name>'),
    });
    await site.copy.refresh();
    expect(site.copy.stateOf('mf-legal').active).toBe(second);
    expect(releases({ OPERATOR: 'Ann' }, ...rollback)).toEqual({
      status: 0,
      stdout: expect.stringContaining(`mf-legal: ${second} is rolled back; all visitors get ${first}.`),
      stderr: '',
    });
    await site.copy.refresh();
    expect(site.copy.stateOf('mf-legal').active).toBe(first);
    expect(site.copy.deployments().at(-1)).toMatchObject({ by: 'Ann', why: 'no heading' });
  });

  test.each(['--help', 'list'])('%s ends quietly if what reads its output, such as `head`, has ended', (words) => {
    const pipeline = '{ "$0" "$@"; echo "code $?" >&2; } | true';
    const { stderr } = spawnSync('sh', ['-c', pipeline, ...command, words], { encoding: 'utf8', env: variables() });
    expect(stderr).toBe('code 0\n');
  });

  test('fails with one line and no stack if nothing was changed', () => {
    expect(releases({}, 'offer', 'mf-legal', first, '--percent', '150')).toEqual({
      status: 1,
      stdout: '',
      stderr:
        'The share of visitors must be a whole number from 1 to 99, not “150”. To give a release to all, activate it; to none, end its canary.\n',
    });
  });
});
