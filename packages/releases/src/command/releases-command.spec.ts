import { userInfo } from 'node:os';
import { exitCodes, runProgram } from '@daybook/server';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { OriginReport } from '../registry/release-registry.ts';
import { createTemporaryReleases, type TemporaryReleases, versionOf, wholeRelease } from '../test/release-folder.ts';
import { textTerminal } from '../test/text-terminal.ts';
import { createReleasesProgram, openReleases } from './releases-command.ts';

const [first, second, third] = [versionOf(1), versionOf(2), versionOf(3)];

let folder: TemporaryReleases;
beforeEach(async () => {
  folder = createTemporaryReleases();
  for (const version of [first, second, third]) await folder.add('mf-legal', version);
  for (const version of [first, second]) await folder.activate('mf-legal', version, { by: 'mirror' });
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
const state = () => folder.copy.stateOf('mf-legal');
const last = () => folder.copy.changes().at(-1);
const report = (changes: Partial<OriginReport>) =>
  folder.registry.reportOrigin('mf-legal', {
    address: 'http://mf-legal:8080',
    offered: null,
    problem: null,
    ...changes,
  });

describe('releases list', () => {
  test('has a line for each remote', async () => {
    const [head, legal, privacy] = (await run('list')).split('\n');
    expect(head).toMatch(/^REMOTE +ACTIVE +SINCE +STORED +STATE$/);
    expect(legal).toMatch(new RegExp(`^mf-legal +${second} +3 minutes ago +3$`));
    expect(privacy).toMatch(/^mf-privacy +– +0 +no release yet$/);
  });

  test('shows pins, canaries and problems', async () => {
    await run('pin', 'mf-legal', second);
    await run('canary', 'mf-legal', third, '5');
    const problem = { reason: 'tampered', message: 'a.js is not what it was', since: new Date().toISOString() };
    await report({ offered: third, problem });
    expect(await run('list')).toContain(`pinned; canary ${third} for 5 %\n`);
    expect(await run('list')).toContain(
      '\n  ! tampered, 3 minutes ago: a.js is not what it was (http://mf-legal:8080)\nmf-privacy',
    );
  });

  test('states why an offered release is not active', async () => {
    await report({ offered: second, problem: null });
    await run('rollback', 'mf-legal');
    expect(await run('list')).toContain(
      `\n  Its origin offers ${second}. It was rolled back, or was a canary or a preview`,
    );
  });
});

describe('a release that can’t be served', () => {
  const lose = (version: string) =>
    folder.registry.remove('mf-legal', [version], folder.copy.stateOf('mf-legal').revision);

  test('is reported with its fallback while it is active', async () => {
    await lose(second);
    const problem = `! ${second} is missing; visitors get ${first}`;
    expect(await run('list')).toMatch(new RegExp(`^mf-legal +${second} .*\n  ${problem}\nmf-privacy`, 'm'));
    expect(await run('show', 'mf-legal')).toContain(`\n${problem}\n`);
    await lose(first);
    expect(await run('list')).toContain(`\n  ! ${second} is missing; visitors get nothing of mf-legal\n`);
  });

  test('is reported by what it needs if it was built for a newer shell', async () => {
    await lose(second);
    const release = { ...wholeRelease('mf-legal', second), contract: 99 };
    const description = JSON.stringify(release);
    const stored = { remote: 'mf-legal', version: second, description, files: [] };
    await folder.registry.store(stored, async () => Buffer.from(''));
    expect(await run('list')).toContain(`! ${second} can't be served: it needs a newer shell: `);
    expect(await run('show', 'mf-legal')).toContain(`; visitors get ${first}`);
  });

  test('is reported while it is a canary', async () => {
    await run('canary', 'mf-legal', third, '5');
    await lose(third);
    expect(await run('list')).toContain(`\n  ! canary ${third} is missing; all visitors get ${second}\n`);
  });

  test('is not suggested after a rollback', async () => {
    await lose(second);
    const printed = await run('rollback', 'mf-legal');
    expect(printed).toContain(`${second} is not activated automatically again. It is no longer stored here.`);
    expect(printed).not.toContain('releases activate');
  });
});

describe('releases show', () => {
  test('shows the stored releases of a remote and its last changes', async () => {
    await run('rollback', 'mf-legal');
    const shown = await run('show', 'mf-legal');
    expect(shown).toContain('no server has polled its origin yet');
    expect(shown).toMatch(new RegExp(`${first} +active +3 minutes ago +1 +14 bytes`));
    expect(shown).toMatch(new RegExp(`${second} +withdrawn `));
    expect(shown).toMatch(new RegExp(`${third} +stored `));
    expect(shown).toMatch(new RegExp(`\\d +mf-legal +rollback +${second} +${first} `));
  });

  test('shows the release at the origin', async () => {
    await report({ offered: null, problem: null });
    expect(await run('show', 'mf-legal')).toContain('origin http://mf-legal:8080 offers nothing');
  });

  test('names the newest accepted signature and its key', async () => {
    const [signedAt, expiresAt] = [Date.now(), Date.parse('2027-12-27T00:00:00Z')];
    const signature = { version: second, key: 'kq5n3xP0-rest-of-the-key', signedAt, expiresAt, integrity: '' };
    await folder.registry.acceptSignature('mf-legal', signature);
    expect(await run('show', 'mf-legal')).toContain(
      `\nnewest signature: ${second}, 3 minutes ago, key kq5n3xP0…, valid until 2027-12-27\n`,
    );
    expect(JSON.parse(await run('show', 'mf-legal', '--json')).signature).toEqual(signature);
  });
});

describe('releases log', () => {
  test('lists all changes, the latest first, with absolute time, operator and reason', async () => {
    await run('rollback', 'mf-legal', '--why', 'no heading', '--by', 'Ann');
    const [head, latest, ...others] = (await run('log')).split('\n');
    expect(head).toMatch(/^WHEN \(UTC\) +REMOTE +CHANGE +FROM +TO +BY +WHY$/);
    const at = last()?.at.slice(0, 19).replace('T', ' ');
    expect(latest).toMatch(new RegExp(`^${at} +mf-legal +rollback +${second} +${first} +Ann +no heading$`));
    expect(others).toHaveLength(2);
    expect(others[1]).toMatch(new RegExp(`activate +– +${first} +mirror +new release at its origin$`));
  });

  test('lists only the changes of a named remote', async () => {
    expect((await run('log', 'mf-legal')).split('\n')).toHaveLength(3);
    expect((await run('log', 'mf-privacy')).split('\n')).toHaveLength(1);
  });
});

describe('releases rollback', () => {
  test('replaces the active release with the previous one', async () => {
    expect((await run('rollback', 'mf-legal')).split('\n')).toEqual([
      `mf-legal: ${second} is rolled back; visitors get ${first}.`,
      `${second} is not activated automatically again.`,
      `To activate it again: releases activate mf-legal ${second}`,
    ]);
    expect(state()).toMatchObject({ active: first, withdrawn: new Set([second]) });
  });

  test('of a pinned remote asks for the version, and replaces the pinned release with it', async () => {
    await run('pin', 'mf-legal', second);
    const before = folder.copy.changes().length;
    await expect(run('rollback', 'mf-legal')).rejects.toThrow(
      `mf-legal is pinned to ${second}, and newer releases only wait. A rollback would pin it to ${first} instead, and ${second} would not become active by itself again. To do that, name the version ${first}.`,
    );
    expect(folder.copy.changes()).toHaveLength(before);
    expect(await run('rollback', 'mf-legal', first)).toContain(
      `mf-legal: ${second} is rolled back; visitors get ${first}. It stays pinned, to ${first}.`,
    );
    expect(state()).toMatchObject({ active: first, pinned: true, withdrawn: new Set([second]) });
  });
});

describe('releases pin and unpin', () => {
  test('pin and unpin a release', async () => {
    expect(await run('pin', 'mf-legal', first)).toContain(`mf-legal: pinned to ${first} instead of ${second}.`);
    expect(state()).toMatchObject({ active: first, pinned: true });
    expect(await run('unpin', 'mf-legal')).toContain(`mf-legal: no longer pinned to ${first}.`);
    expect(state()).toMatchObject({ active: first, pinned: false });
  });
});

describe('releases preview', () => {
  const endsAt = '2099-12-02T10:00:00.000Z';
  const begin = () => folder.preview('mf-legal', third, { tokenHash: 'a', endsAt }, { by: 'mirror' });

  test('names the command that makes one, and the problem of the last one', async () => {
    const problem = { reason: 'signature', message: 'it is old', since: new Date().toISOString() };
    await folder.registry.reportPreview('mf-legal', 'http://mf-legal:8080', problem);
    expect((await run('preview', 'mf-legal')).split('\n')).toEqual([
      'mf-legal has no preview. To make one: npm run release -w mf-legal -- --preview',
      '! preview: signature, 3 minutes ago: it is old (http://mf-legal:8080)',
    ]);
  });

  test('shows the preview and its end', async () => {
    await begin();
    expect((await run('preview', 'mf-legal')).split('\n')).toEqual([
      `mf-legal: preview of ${third} until 2099-12-02 10:00:00 UTC, for visitors with its link.`,
      `To activate it: releases activate mf-legal ${third}. To end it: releases preview mf-legal --end`,
    ]);
    expect(await run('list')).toContain(`preview ${third}\n`);
    expect(await run('show', 'mf-legal')).toMatch(new RegExp(`${third} +preview `));
  });

  test('ends it, and logs by whom and why', async () => {
    await begin();
    expect(await run('preview', 'mf-legal', '--end', '--by', 'Ann', '--why', 'a typo')).toBe(
      `mf-legal: the preview of ${third} is over; its link shows nothing any more.`,
    );
    expect(last()).toMatchObject({ action: 'end-preview', to: third, by: 'Ann', why: 'a typo' });
    await expect(run('preview', 'mf-legal', '--end')).rejects.toThrow('mf-legal has no preview.');
  });

  test('is of a known remote', async () => {
    await expect(run('preview', 'mf-nowhere')).rejects.toThrow('There is no remote “mf-nowhere”');
  });
});

describe('releases activate', () => {
  test('makes exactly this release active, and names the way back', async () => {
    await report({ offered: second, problem: null });
    expect((await run('activate', 'mf-legal', third, '--why', 'approved')).split('\n')).toEqual([
      `mf-legal: all visitors get ${third} instead of ${second}.`,
      `${second} is not activated automatically again.`,
      'To go back: releases rollback mf-legal',
    ]);
    expect(await run('list')).toContain(
      `\n  Its origin offers ${second}. An operator activated ${third} in its place, so it is not activated automatically. To activate it: releases activate mf-legal ${second}`,
    );
    await run('rollback', 'mf-legal');
    expect(state()).toMatchObject({ active: second, withdrawn: new Set([third]) });
  });

  test('rejects a release that is active or not stored', async () => {
    await expect(run('activate', 'mf-legal', second)).rejects.toThrow('is active for all visitors already');
    await expect(run('activate', 'mf-legal', '9.9.9-99999999')).rejects.toThrow('has no stored release');
  });
});

describe('releases unpin', () => {
  const offer = async (offered: string | null, reason?: string) => {
    const problem = reason === undefined ? null : { reason, message: reason, since: new Date().toISOString() };
    await report({ offered, problem });
  };
  const pinned = () => run('pin', 'mf-legal', second);

  test.each<[string, string, () => unknown]>([
    ['it becomes active', `Its origin offers ${third}, which becomes active at the next poll.`, () => offer(third)],
    [
      'it was rolled back',
      `Its origin offers ${third}. It was rolled back, or was a canary or a preview, so it is not activated automatically.`,
      async () => {
        await offer(third);
        await run('pin', 'mf-legal', third);
        await run('rollback', 'mf-legal', second);
      },
    ],
    [
      'another release is a canary',
      `Its origin offers ${third}. It waits until the canary is over.`,
      async () => {
        await offer(third);
        await run('canary', 'mf-legal', first, '5');
      },
    ],
    [
      'it is the canary',
      'Newer releases wait until the canary is over.',
      async () => {
        await offer(third);
        await run('canary', 'mf-legal', third, '5');
      },
    ],
    [
      'it was rejected',
      `Its origin offers ${versionOf(4)}, which becomes active once its problem is fixed.`,
      () => offer(versionOf(4), 'tampered'),
    ],
    ['it is active', 'The next release at its origin is activated automatically.', () => offer(second)],
    ['there is none', 'The next release at its origin is activated automatically.', () => offer(null, 'unreachable')],
  ])('states what happens to the release at the origin: %s', async (_what, sentence, prepare) => {
    await pinned();
    await prepare();
    expect(await run('unpin', 'mf-legal')).toBe(`mf-legal: no longer pinned to ${second}.\n${sentence}`);
  });
});

describe('releases canary', () => {
  test.each(['5', '5%', ' 5 % '])('serves a release to some visitors: %p', async (percent) => {
    const printed = await run('canary', 'mf-legal', third, percent);
    expect(printed).toContain(`mf-legal: 5 % of visitors get ${third}, all others ${second}.`);
    expect(state().canary).toMatchObject({ version: third, percent: 5 });
  });

  test('of 100 % is promoted', async () => {
    expect(await run('canary', 'mf-legal', third, '100')).toContain(`all visitors get ${third} instead of ${second}`);
    expect(state().active).toBe(third);
  });

  test('of a pinned remote says after its promotion that it stays pinned', async () => {
    await run('pin', 'mf-legal', second);
    await run('canary', 'mf-legal', third, '5');
    expect(await run('canary', 'mf-legal', third, '100')).toBe(
      `mf-legal: all visitors get ${third} instead of ${second}. It stays pinned, to ${third}.\nTo unpin it: releases unpin mf-legal`,
    );
  });

  test('of 0 % is rolled back', async () => {
    await run('canary', 'mf-legal', third, '5');
    await run('canary', 'mf-legal', third, '0');
    expect(state()).toMatchObject({ active: second, withdrawn: new Set([third]) });
  });
});

describe('the log', () => {
  test.each([
    [[], userInfo().username],
    [['--by', 'Ann'], 'Ann'],
    [['--by', '  '], userInfo().username],
  ])('has the operator of a change: %j', async (options, name) => {
    await run('rollback', 'mf-legal', ...options);
    expect(last()?.by).toBe(name);
  });

  test('has text in one line, without control characters', async () => {
    await run('rollback', 'mf-legal', '--by', ' Ann\u001b[2J\n', '--why', 'no\r\n\theading\u0000 \u202e!');
    expect(last()).toMatchObject({ by: 'Ann [2J', why: 'no heading !' });
  });
});

test('releases sign-ins lists who signed in and out, the latest first', async () => {
  const network = '203.0.113.7/32';
  await folder.registry.recordSignIn({ operator: 'Ann', action: 'sign-in', network });
  await folder.registry.recordSignIn({ operator: 'Bob', action: 'sign-out', network });
  const [head, ...lines] = (await run('sign-ins')).split('\n');
  expect(head).toMatch(/^WHEN \(UTC\) +OPERATOR +ACTION +NETWORK$/);
  expect(lines).toEqual([
    expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d +Bob +sign-out +203\.0\.113\.7\/32$/),
    expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d +Ann +sign-in +203\.0\.113\.7\/32$/),
  ]);
  expect(JSON.parse(await run('sign-ins', '--json'))).toMatchObject([{ operator: 'Ann' }, { operator: 'Bob' }]);
});

describe('a failing command changes nothing and prints the reason', () => {
  test.each<[string, readonly string[]]>([
    ["Unknown command 'destroy'", ['destroy']],
    ["Missing required argument 'remote'\nSee: releases show --help", ['show']],
    ["Missing required argument 'version'", ['pin', 'mf-legal']],
    ["Missing required argument 'percent'", ['canary', 'mf-legal', third]],
    ["Too many arguments for 'list'", ['list', 'mf-legal']],
    ["Too many arguments for 'rollback'", ['rollback', 'mf-legal', first, 'now']],
    ["Unknown option '--force'", ['rollback', 'mf-legal', '--force']],
    ['There is no remote “mf-nowhere”; there are mf-legal, mf-privacy.', ['rollback', 'mf-nowhere']],
    ['There is no remote “mf-nowhere”', ['show', 'mf-nowhere']],
    ['There is no remote “mf-nowhere”', ['log', 'mf-nowhere']],
    [`mf-legal has no stored release “${versionOf(9)}”; stored: `, ['pin', 'mf-legal', versionOf(9)]],
    ['must be a whole number from 0 to 100, not “150”.', ['canary', 'mf-legal', third, '150']],
    ['must be a whole number from 0 to 100, not “-5”.', ['canary', 'mf-legal', third, '-5']],
    ["Unknown option '-5%'", ['canary', 'mf-legal', third, '-5%']],
    ['Write a reason of at most 200 characters.', ['rollback', 'mf-legal', '--why', 'a'.repeat(201)]],
    ['Write a name of at most 200 characters.', ['rollback', 'mf-legal', '--by', 'a'.repeat(201)]],
    ['must be a whole number from 0 to 100, not “many”.', ['canary', 'mf-legal', third, 'many']],
    ['must be a whole number from 0 to 100, not “ ”.', ['canary', 'mf-legal', third, ' ']],
    ['must be a whole number from 0 to 100, not “0x10”.', ['canary', 'mf-legal', third, '0x10']],
    ['must be a whole number from 0 to 100, not “1.5”.', ['canary', 'mf-legal', third, '1.5']],
  ])('%s', async (message, parameters) => {
    const before = folder.copy.changes().length;
    await expect(run(...parameters)).rejects.toThrow(message);
    expect(folder.copy.changes()).toHaveLength(before);
  });
});

test.each([['help'], ['--help'], ['rollback', '--help']])('releases %s prints its usage', async (...parameters) => {
  expect(await run(...parameters)).toMatch(/^Usage: releases /);
});

test.each(['list', 'show mf-legal', 'log'])('releases %s --json prints JSON', async (command) => {
  const printed = await run(...command.split(' '), '--json');
  expect(JSON.parse(printed)).toBeDefined();
  expect(printed).toContain(`"${second}"`);
});

describe('openReleases', () => {
  const runWith = (REMOTES: string | undefined, ...parameters: readonly string[]) =>
    runOn(() => openReleases({ REMOTES }, folder.registry), parameters);

  test('lists the remotes of REMOTES, with or without releases', async () => {
    expect(await runWith('mf-legal=file:a, mf-new=http://mf-new:8080', 'list')).toMatch(
      /^mf-new +– +0 +no release yet$/m,
    );
    expect(await runWith('mf-new=file:a', 'list')).not.toContain('mf-legal');
    await expect(runWith(undefined, 'list')).rejects.toThrow('Set REMOTES to that of the shell servers');
  });

  test('asks for the address of a registry', async () => {
    await expect(runOn(() => openReleases({}), ['list'])).rejects.toThrow(
      'There is no release registry to work on. Start the site, or set RELEASES_DATABASE_URL to',
    );
  });

  test('names a registry that can’t be reached', async () => {
    const address = 'postgres://shell:secret@127.0.0.1:1/postgres';
    const failed = runOn(() => openReleases({ REMOTES: 'mf-legal=file:a', RELEASES_DATABASE_URL: address }), ['list']);
    await expect(failed).rejects.toThrow(/^The release registry can't be used: .*ECONNREFUSED/);
  });
});
