import { userInfo } from 'node:os';
import { exitCodes, runProgram } from '@daybook/server';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { OriginReport } from '../registry/release-registry.ts';
import { createTemporaryReleases, type TemporaryReleases, versionOf, wholeRelease } from '../test/release-folder.ts';
import { textTerminal } from '../test/text-terminal.ts';
import { createReleasesProgram, openReleases } from './releases-command.ts';

// The rules of deployments are those of release-management.spec.ts; here are parameters and output.

const [first, second, third] = [versionOf(1), versionOf(2), versionOf(3)];
const address = 'http://mf-legal:8080';
const byMirror = { by: 'mirror', why: 'new release at its origin' };

let folder: TemporaryReleases;
beforeEach(async () => {
  folder = createTemporaryReleases();
  for (const version of [first, second, third]) await folder.add('mf-legal', version);
  for (const version of [first, second]) await folder.activate('mf-legal', version, byMirror);
});
afterEach(() => folder.remove());

/** Returns a command's output three minutes from now; rejects with its error output. */
const run = (...parameters: readonly string[]) =>
  runOn(() => openReleases({ REMOTES: 'mf-legal=file:a,mf-privacy=file:b' }, folder.registry), parameters);

async function runOn(
  open: Parameters<typeof createReleasesProgram>[0],
  parameters: readonly string[],
): Promise<string> {
  const { terminal, output, errors } = textTerminal();
  const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 3 * 60_000 + 1_000);
  const exitCode = await runProgram(createReleasesProgram(open, terminal), parameters, terminal);
  clock.mockRestore();
  await folder.copy.refresh();
  if (exitCode !== exitCodes.done) throw new Error(errors());
  return output().trimEnd();
}
const lines = async (...parameters: readonly string[]) => (await run(...parameters)).split('\n');
/** Runs a command whose parameters have no spaces. */
const runWords = (command: string) => run(...command.split(' '));
const runAll = async (commands: readonly string[]) => {
  for (const command of commands) await runWords(command);
};
const last = () => folder.copy.deployments().at(-1);
const problemOf = (reason: string, message: string) => ({ reason, message, since: new Date().toISOString() });
const report = (offered: string | null, problem: OriginReport['problem'] = null) =>
  folder.registry.reportOrigin('mf-legal', { address, offered, problem });
const beginPreview = (version = third) =>
  folder.offer('mf-legal', version, { tokenHash: 'a', endsAt: '2099-12-02T10:00:00.000Z' }, { by: 'mirror' });

test('releases list has a line for each remote, with holds, canaries, previews and problems', async () => {
  const head = expect.stringMatching(/^REMOTE +ACTIVE +SINCE +STORED +STATE$/);
  const privacy = expect.stringMatching(/^mf-privacy +– +0 +no release yet$/);
  const legal = `^mf-legal +${second} +3 minutes ago +3`;
  expect(await lines('list')).toEqual([head, expect.stringMatching(new RegExp(`${legal}$`)), privacy]);
  await beginPreview();
  await runAll(['hold mf-legal', `offer mf-legal ${first} --percent 5`]);
  await report(third, problemOf('tampered', 'a.js is not what it was'));
  await folder.registry.reportPreview('mf-legal', address, problemOf('signature', 'it is old'));
  expect(await lines('list')).toEqual([
    head,
    expect.stringMatching(new RegExp(`${legal} +held; canary ${first} for 5 %; preview ${third}$`)),
    expect.stringContaining(`  Its origin offers ${third}. `),
    `  ! tampered, 3 minutes ago: a.js is not what it was (${address})`,
    `  ! preview: signature, 3 minutes ago: it is old (${address})`,
    privacy,
  ]);
  expect(JSON.parse(await run('list', '--json')).remotes).toMatchObject([
    { remote: 'mf-legal', isHeld: true, canary: { version: first } },
    { remote: 'mf-privacy' },
  ]);
});

test('texts of an origin control no terminal, in lines nor in JSON', async () => {
  const message = 'a\u001b[2J\u009b31m\u202eb\u2028\nremote  active';
  await report(third, problemOf('tampered', message));
  expect(await run('list')).toContain(': a�[2J�31m�b��remote  active (');
  const json = await run('list', '--json');
  expect(json).not.toMatch(/[^\P{Cc}\n]|\p{Zl}|\p{Bidi_Control}/u);
  expect(JSON.parse(json).remotes[0].origin.problem.message).toBe(message);
});

describe('a release that can’t be served', () => {
  const lose = (version: string) =>
    folder.registry.remove('mf-legal', [version], folder.copy.stateOf('mf-legal').number);

  test('is reported with its fallback, and not suggested after a rollback', async () => {
    await run('offer', 'mf-legal', third, '--percent', '5');
    await lose(third);
    expect(await lines('list')).toContain(`  ! canary ${third} is missing; all visitors get ${second}`);
    expect(await lines('end', 'mf-legal')).toEqual([
      `mf-legal: the canary of ${third} is over; its visitors get ${second}.`,
    ]);
    await lose(second);
    expect(await lines('list')).toContain(`  ! ${second} is missing; visitors get ${first}`);
    expect(await lines('show', 'mf-legal')).toContain(`! ${second} is missing; visitors get ${first}`);
    expect(await lines('rollback', 'mf-legal')).toEqual([
      `mf-legal: ${second} is rolled back; all visitors get ${first}.`,
      `${second} is no longer stored here.`,
    ]);
    await lose(first);
    expect(await lines('list')).toContain(`  ! ${first} is missing; visitors get nothing of mf-legal`);
  });

  test('is reported by what it needs if it was built for a newer shell', async () => {
    await lose(second);
    const description = JSON.stringify({ ...wholeRelease('mf-legal', second), contract: 99 });
    const stored = { remote: 'mf-legal', version: second, description, files: [] };
    await folder.registry.store(stored, async () => Buffer.from(''));
    const problem = new RegExp(`! ${second} can't be served: it needs a newer shell: .*; visitors get ${first}$`, 'm');
    expect(await run('list')).toMatch(problem);
  });
});

test('releases show has the stored releases of a remote, its last deployments, its origin and its newest signature', async () => {
  await folder.add('mf-privacy', first);
  await folder.activate('mf-privacy', first, byMirror);
  /** Returns the parts of the output: those between empty lines. */
  const parts = async () => (await run('show', 'mf-legal')).split('\n\n').map((part) => part.split('\n'));
  const standings = async () =>
    (await parts())[1]
      ?.slice(1)
      .map((line) => line.split(/ {2,}/, 2).join(' '))
      .sort();
  expect((await parts())[0]).toEqual(['mf-legal', 'no server has polled its origin yet']);
  expect(await standings()).toEqual([`${first} previous`, `${second} active`, `${third} stored`]);
  await run('rollback', 'mf-legal');
  await beginPreview();
  await report(null);
  const [signedAt, expiresAt] = [Date.now(), Date.parse('2027-12-27T00:00:00Z')];
  const signature = { version: second, key: 'kq5n3xP0-rest-of-the-key', signedAt, expiresAt, integrity: '' };
  await folder.registry.acceptSignature('mf-legal', signature);
  const [head, stored, log] = await parts();
  expect(head).toEqual([
    `mf-legal  preview ${third}`,
    `origin ${address} offers nothing`,
    `newest signature: ${second}, 3 minutes ago, key kq5n3xP0…, valid until 2027-12-27`,
    `preview of ${third} until 2099-12-02 10:00:00 UTC, for visitors with its link`,
  ]);
  expect(stored).toContainEqual(expect.stringMatching(new RegExp(`${first} +active +3 minutes ago +1 +14 bytes`)));
  expect(await standings()).toEqual([`${first} active`, `${second} rolled back`, `${third} preview`]);
  expect(log?.map((line) => line.split(/ {2,}/)[2])).toEqual([
    'ACTION',
    'offer preview',
    `activate, rollback from ${second}`,
    'activate',
    'activate',
  ]);
  expect(JSON.parse(await run('show', 'mf-legal', '--json'))).toMatchObject({ active: first, signature });
  await runAll([`activate mf-legal ${second}`, `offer mf-legal ${third} --percent 5`]);
  expect(await standings()).toContain(`${third} canary`);
  await run('activate', 'mf-legal', first);
  expect(await standings()).toContain(`${third} preview`);
});

test('releases log lists all deployments, or those of a remote, the latest first, with absolute time, operator and reason', async () => {
  await run('rollback', 'mf-legal', '--why', 'no heading', '--by', 'Ann');
  const at = last()?.at.slice(0, 19).replace('T', ' ');
  const all = await lines('log');
  expect(all).toEqual([
    expect.stringMatching(/^WHEN \(UTC\) +REMOTE +ACTION +VERSION +BY +WHY$/),
    expect.stringMatching(
      new RegExp(`^${at} +mf-legal +activate, rollback from ${second} +${first} +Ann +no heading$`),
    ),
    expect.stringMatching(new RegExp(`activate +${second} +mirror +new release at its origin$`)),
    expect.stringMatching(new RegExp(`activate +${first} +mirror +new release at its origin$`)),
  ]);
  expect(await lines('log', 'mf-legal')).toEqual(all);
  expect(await lines('log', 'mf-privacy')).toHaveLength(1);
  expect(JSON.parse(await run('log', '--json'))).toEqual(folder.copy.deployments());
});

test.each([
  [[], userInfo().username],
  [['--by', ' Ann\u001b[2J\n'], 'Ann [2J'],
  [['--by', '  '], userInfo().username],
])(
  'operator and reason of a deployment are logged in one line, without control characters: %j',
  async (options, by) => {
    await run('rollback', 'mf-legal', '--why', 'no\r\n\theading\u0000 \u202e!', ...options);
    expect(last()).toMatchObject({ by, why: 'no heading !' });
  },
);

describe('a deployment is printed with what visitors get now and the next commands', () => {
  const lift = 'To lift it: releases lift mf-legal';
  const held = 'New releases are stored and not activated until it is lifted.';
  const staysHeld = `mf-legal stays held. ${held}`;
  const back = 'To go back: releases rollback mf-legal';
  const offer = `offer mf-legal ${third} --percent 5%`;
  const next = 'The next new release at its origin is activated automatically.';
  const rolledBack = `${second} is rolled back; all visitors get ${first}.`;
  const stays = `${second} becomes active again only if it is activated.`;
  const again = `To activate it again: releases activate mf-legal ${second}`;

  test.each<[string, readonly string[], string, ...string[]]>([
    ['rollback mf-legal', [], rolledBack, stays, again],
    [`rollback mf-legal ${first}`, ['hold mf-legal'], rolledBack, stays, staysHeld, again, lift],
    [`activate mf-legal ${third}`, [], `all visitors get ${third} instead of ${second}.`, back],
    [
      `activate mf-legal ${third}`,
      ['hold mf-legal', offer],
      `all visitors get ${third} instead of ${second}.`,
      staysHeld,
      back,
      lift,
    ],
    [
      offer,
      [],
      `5 % of visitors get ${third}, all others ${second}.`,
      `To give it to all visitors: releases activate mf-legal ${third}. To end it: releases end mf-legal canary`,
    ],
    ['end mf-legal', [offer], `the canary of ${third} is over; its visitors get ${second}.`],
    ['hold mf-legal', [], `held; visitors get ${second}.`, held, lift],
    ['lift mf-legal', ['hold mf-legal'], `no longer held; visitors get ${second}.`, next],
  ])('releases %s, after %j', async (command, before, ...printed) => {
    await runAll(before);
    const output = await runWords(command);
    expect(output).toBe(`mf-legal: ${printed.join('\n')}`);
    // What it suggests works.
    const suggested = [...output.matchAll(/: releases ([a-z]+ mf-legal(?: canary| 1\.0\.\d-\d+)?)/g)];
    await runAll(suggested.map(([, each = '']) => each).toReversed());
  });

  test('a preview is ended', async () => {
    await beginPreview(first);
    await folder.registry.reportPreview('mf-legal', address, problemOf('signature', 'it is old'));
    const shown = await lines('show', 'mf-legal');
    expect(shown).toContain(`preview of ${first} until 2099-12-02 10:00:00 UTC, for visitors with its link`);
    expect(shown).toContain(`! preview: signature, 3 minutes ago: it is old (${address})`);
    expect(await run('end', 'mf-legal', 'preview', '--by', 'Ann', '--why', 'a typo')).toBe(
      `mf-legal: the preview of ${first} is over; its visitors get ${second}.`,
    );
    expect(last()).toMatchObject({ action: 'end', audience: 'preview', version: first, by: 'Ann', why: 'a typo' });
    // It was a preview of the previous release.
    expect(await run('rollback', 'mf-legal')).toContain(`all visitors get ${first}.`);
  });
});

describe('the release at the origin of a held remote', () => {
  const next = 'The next new release at its origin is activated automatically.';
  const again = 'It was active or offered before, so it becomes active only if it is activated.';
  const waits = 'It waits until the remote is lifted.';
  const fourth = versionOf(4);
  const offers = (offered: string) => `Its origin offers ${offered}`;

  test.each<[string, readonly string[], string | undefined, string]>([
    [third, [], waits, `${offers(third)}, which becomes active at the next poll.`],
    [
      third,
      [`offer mf-legal ${third} --percent 5`, 'end mf-legal'],
      `${again} To activate it: releases activate mf-legal ${third}`,
      `${offers(third)}. ${again}`,
    ],
    [
      second,
      ['rollback mf-legal'],
      `${again} To activate it: releases activate mf-legal ${second}`,
      `${offers(second)}. ${again}`,
    ],
    [third, [`offer mf-legal ${third} --percent 5`], undefined, next],
    [fourth, [], undefined, `${offers(fourth)}, which becomes active once its problem is fixed.`],
    [second, [], undefined, next],
    ['', [], undefined, next],
  ])('is %j; after %j, list says why it is not active, and lift what happens to it', async (...row) => {
    const [offered, commands, inList, afterLift] = row;
    const isStored = [first, second, third].includes(offered);
    await report(offered || null, isStored ? null : problemOf('tampered', 'a.js is not what it was'));
    await runAll(['hold mf-legal', ...commands]);
    expect(/\n {2}Its origin offers \S+\. (.*)/.exec(await run('list'))?.[1]).toBe(inList);
    const { active } = folder.copy.stateOf('mf-legal');
    expect(await run('lift', 'mf-legal')).toBe(`mf-legal: no longer held; visitors get ${active}.\n${afterLift}`);
  });
});

test('releases sign-ins lists who signed in and out, the latest first', async () => {
  const network = '203.0.113.7/32';
  await folder.registry.recordSignIn({ operator: 'Ann', action: 'sign-in', network });
  await folder.registry.recordSignIn({ operator: 'Bob', action: 'sign-out', network });
  expect(await lines('sign-ins')).toEqual([
    expect.stringMatching(/^WHEN \(UTC\) +OPERATOR +ACTION +NETWORK$/),
    expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d +Bob +sign-out +203\.0\.113\.7\/32$/),
    expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d +Ann +sign-in +203\.0\.113\.7\/32$/),
  ]);
  expect(JSON.parse(await run('sign-ins', '--json'))).toMatchObject([{ operator: 'Ann' }, { operator: 'Bob' }]);
});

test.each<[string, readonly string[]]>([
  ["Missing required argument 'remote'\nSee: releases show --help", ['show']],
  ["Missing required argument 'version'", ['activate', 'mf-legal']],
  ['--percent', ['offer', 'mf-legal', third]],
  ["Too many arguments for 'rollback'", ['rollback', 'mf-legal', first, 'now']],
  ['There is no remote “mf-nowhere”; there are mf-legal, mf-privacy.', ['show', 'mf-nowhere']],
  ['There is no remote “mf-nowhere”', ['log', 'mf-nowhere']],
  ['There is no remote “mf-nowhere”', ['end', 'mf-nowhere']],
  ['End the canary or the preview, not “both”.', ['end', 'mf-legal', 'both']],
  ['must be a whole number from 1 to 99, not “-5”.', ['offer', 'mf-legal', third, '--percent=-5']],
  ['must be a whole number from 1 to 99, not “0x10”.', ['offer', 'mf-legal', third, '--percent', '0x10']],
  ['Write a reason of at most 200 characters.', ['rollback', 'mf-legal', '--why', 'a'.repeat(201)]],
  ['Write a name of at most 200 characters.', ['rollback', 'mf-legal', '--by', 'a'.repeat(201)]],
])('a failing command changes nothing and prints the reason: %s', async (message, parameters) => {
  const before = folder.copy.deployments().length;
  await expect(run(...parameters)).rejects.toThrow(message);
  expect(folder.copy.deployments()).toHaveLength(before);
});

describe('openReleases', () => {
  test('lists the remotes of REMOTES, with or without releases', async () => {
    const list = (REMOTES: string) => runOn(() => openReleases({ REMOTES }, folder.registry), ['list']);
    expect(await list('mf-legal=file:a, mf-new=http://mf-new:8080')).toMatch(/^mf-new +– +0 +no release yet$/m);
    expect(await list('mf-new=file:a')).not.toContain('mf-legal');
  });

  const RELEASES_DATABASE_URL = 'postgres://shell:secret@127.0.0.1:1/postgres';
  test.each<[RegExp, Record<string, string>]>([
    [/^There is no release registry to work on\. Start the site, or set RELEASES_DATABASE_URL to/, {}],
    [/^Set REMOTES to that of the shell servers/, { RELEASES_DATABASE_URL }],
    [/^The release registry can't be used: .*ECONNREFUSED/, { REMOTES: 'mf-legal=file:a', RELEASES_DATABASE_URL }],
  ])('fails without its settings: %s', async (message, variables) => {
    await expect(runOn(() => openReleases(variables), ['list'])).rejects.toThrow(message);
  });
});
