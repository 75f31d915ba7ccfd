import type { ChildProcess } from 'node:child_process';
import { appendFileSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { versionOf } from '../../test/release-folder.ts';
import { makeTemporaryFolder } from '../../test/temporary-folder.ts';
import { exchangeMessages, startProcess } from '../../test/test-process.ts';
import { ConflictError, logFileName, ReleaseLog } from './release-log.ts';
import type { ReleaseChange } from './remote-state.ts';

const [first, second, third] = [versionOf(1), versionOf(2), versionOf(3)];

let folder: string;
let file: string;
let log: ReleaseLog;
let children: ChildProcess[];

beforeEach(() => {
  folder = makeTemporaryFolder();
  file = path.join(folder, logFileName);
  log = new ReleaseLog(folder);
  children = [];
});
afterEach(() => {
  for (const child of children) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

const activation = (to: string, changes: Partial<ReleaseChange> = {}) => ({
  remote: 'mf-legal',
  action: 'activate' as const,
  from: null,
  to,
  why: 'a test',
  by: 'test',
  ...changes,
});
const activate = (to: string, of = log) => of.append(activation(to));
const activeIn = (read: ReleaseLog) => read.stateOf('mf-legal').active;
const versionsIn = (read: ReleaseLog) => read.changes().map(({ to }) => to);
const startWriter = (name: string, options = {}) => {
  const child = startProcess('log-writer.ts', [folder, name], options);
  children.push(child);
  return child;
};

describe('a change', () => {
  test('is one line with its time and number', () => {
    const change = activate(first);
    const [line = '', ...rest] = readFileSync(file, 'utf8').split('\n');
    expect(JSON.parse(line)).toEqual(change);
    expect(rest).toEqual(['']);
    expect(change).toMatchObject({ revision: 1, at: expect.stringMatching(/^2.+Z$/) });
    expect(activate(second).revision).toBe(2);
  });

  test('is numbered by remote', () => {
    activate(first);
    expect(log.append(activation(first, { remote: 'mf-privacy' })).revision).toBe(1);
  });

  test('is applied by another process at its next refresh', () => {
    const other = new ReleaseLog(folder);
    activate(first);
    expect(activeIn(other)).toBeUndefined();
    expect(other.refresh()).toBe(true);
    expect(activeIn(other)).toBe(first);
    expect(other.refresh()).toBe(false);
  });

  test('is the same after a restart, with any reason', () => {
    const why = '“zu früh”\n{"remote":"mf-legal"} \u2028 \ud800 (torn)';
    const change = log.append(activation(first, { why }));
    expect(new ReleaseLog(folder).changes()).toEqual([change]);
  });

  test.each<[string, Partial<ReleaseChange>]>([
    ['a remote that can be none', { remote: '../mf-legal' }],
    ['a version that can be none', { to: 'latest' }],
    ['a share of 150 %', { action: 'canary', percent: 150 }],
    ['a share of 0 %', { action: 'canary', percent: 0 }],
  ])('with %s is not written', (_what, changes) => {
    expect(() => log.append(activation(first, changes))).toThrow(/is not a change that the release log can have/);
    expect(() => readFileSync(file)).toThrow('ENOENT');
  });

  test('of an outdated state is void', () => {
    const other = new ReleaseLog(folder);
    activate(first);
    expect(() => activate(second, other)).toThrow(ConflictError);
    expect(() => activate(second, new ReleaseLog(folder))).not.toThrow();
    expect(versionsIn(new ReleaseLog(folder))).toEqual([first, second]);
  });

  test('is valid even if another process appends before its writer reads again', () => {
    const { refresh } = log;
    // Between the write and its check.
    log.refresh = () => {
      log.refresh = refresh;
      new ReleaseLog(folder).append(activation(second));
      return log.refresh();
    };
    expect(activate(first).revision).toBe(1);
    expect(activeIn(log)).toBe(second);
  });
});

describe('a torn line', () => {
  test('is never applied, wherever it was cut off, and does not affect other lines', () => {
    activate(first);
    const whole = readFileSync(file, 'utf8');
    for (let offset = 0; offset < whole.length; offset += 1) {
      writeFileSync(file, whole);
      const reader = new ReleaseLog(folder);
      const tornLine = JSON.stringify({ ...JSON.parse(whole), revision: 2, to: second, why: 'ü'.repeat(3) });
      appendFileSync(file, Buffer.from(tornLine).subarray(0, offset));
      expect(new ReleaseLog(folder).stateOf('mf-legal')).toMatchObject({ active: first, revision: 1 });
      new ReleaseLog(folder).append(activation(third));
      for (const read of [reader, new ReleaseLog(folder)]) {
        read.refresh();
        expect(versionsIn(read)).toEqual([first, third]);
      }
    }
  });

  test('is not applied even if only its newline is missing', () => {
    activate(first);
    const line = readFileSync(file, 'utf8').replace(first, second).replace('"revision":1', '"revision":2');
    appendFileSync(file, line.trimEnd());
    expect(activeIn(new ReleaseLog(folder))).toBe(first);
    activate(third);
    expect(versionsIn(new ReleaseLog(folder))).toEqual([first, third]);
  });

  test('full of zeros after a power failure is not applied', () => {
    activate(first);
    appendFileSync(file, Buffer.alloc(300));
    activate(second);
    expect(versionsIn(new ReleaseLog(folder))).toEqual([first, second]);
  });
});

describe('unreadable lines', () => {
  test.each([
    ['no JSON', 'hello'],
    ['nothing', ''],
    ['null', 'null'],
    ['a change without its number', JSON.stringify({ ...activation(second), at: '2026-11-21T00:00:00.000Z' })],
    ['an action of the future', JSON.stringify({ ...activation(second), at: '2026-11-21T00:00:00.000Z', action: 'x' })],
    ['the number 0', JSON.stringify({ ...activation(second), at: '2026-11-21T00:00:00.000Z', revision: 0 })],
    ['a number too high', JSON.stringify({ ...activation(second), at: '2026-11-21T00:00:00.000Z', revision: 3 })],
    ['a number taken', JSON.stringify({ ...activation(second), at: '2026-11-21T00:00:00.000Z', revision: 1 })],
  ])('are skipped: %s', (_what, line) => {
    activate(first);
    appendFileSync(file, `${line}\n`);
    activate(third);
    expect(versionsIn(new ReleaseLog(folder))).toEqual([first, third]);
  });

  test('do not include those of a removed remote', () => {
    log.append(activation(first, { remote: 'mf-of-last-year' }));
    activate(second);
    const again = new ReleaseLog(folder);
    expect(again.stateOf('mf-of-last-year').active).toBe(first);
    expect(activeIn(again)).toBe(second);
    expect(again.stateOf('__proto__').active).toBeUndefined();
  });
});

describe('a problem of the log', () => {
  let reported: string[];
  const open = () => new ReleaseLog(folder, (problem) => reported.push(problem));
  const lineOf = (revision: number, to: string) =>
    JSON.stringify({ ...activation(to), at: '2026-11-21T00:00:00.000Z', revision });
  beforeEach(() => {
    reported = [];
  });

  test('is reported once for an unreadable line, with its number and remote', () => {
    activate(first);
    activate(second);
    const reader = open();
    appendFileSync(file, `${lineOf(3, third).replace('"revision":3', '"revision":three')}\n{"remote":"../x"}\n`);
    reader.refresh();
    reader.refresh();
    const problems = [
      "Line 3 of the release log, of mf-legal, can't be read; what it changed does not count.",
      "Line 4 of the release log can't be read; what it changed does not count.",
    ];
    expect(reported).toEqual(problems);
    expect(reader.problems()).toEqual(problems);
    expect(open().problems()).toEqual(problems);
  });

  test('is reported for a change after a lost one, since visitors may get a release that was rolled back', () => {
    activate(first);
    activate(second);
    log.append(activation(first, { action: 'rollback', from: second }));
    activate(third);
    const lines = readFileSync(file, 'utf8').split('\n');
    writeFileSync(file, lines.toSpliced(2, 1).join('\n'));
    const reader = open();
    expect(activeIn(reader)).toBe(second);
    expect(reported).toEqual([
      `Line 3 of the release log, activate of mf-legal to ${third}, does not count: it is change 4 of mf-legal, and 3 is missing.`,
    ]);
  });

  test('is not reported for torn lines, empty lines and changes that lost a race', () => {
    activate(first);
    appendFileSync(file, '{"at":"20');
    activate(second);
    appendFileSync(file, ` (torn)\n\n${lineOf(2, third)}\n`);
    expect(activeIn(open())).toBe(second);
    expect(reported).toEqual([]);
  });

  test('is reported for a replacement with fewer changes, by a process that has read the log before', () => {
    activate(first);
    const older = readFileSync(file);
    activate(second);
    const reader = open();
    writeFileSync(file, older);
    reader.refresh();
    activate(third, open());
    reader.refresh();
    expect(reported).toEqual([
      'The release log was replaced by one that has fewer changes of mf-legal: 1 instead of 2.',
    ]);
    expect(reader.problems()).toEqual(reported);
    expect(open().problems()).toEqual([]);
  });
});

describe('with several writing processes', () => {
  test('each change is applied once and in order if writers retry after conflicts', async () => {
    const names = ['one', 'two', 'three'];
    await Promise.all(names.map((name) => exchangeMessages(startWriter(name), { task: 'append all', number: 40 })));
    log.refresh();
    expect(log.changes().map(({ revision }) => revision)).toEqual(Array.from({ length: 120 }, (_, index) => index + 1));
    for (const name of names) {
      const own = log.changes().filter(({ by }) => by === name);
      expect(own.map(({ to }) => to)).toEqual(own.map((_, index) => versionOf(index + 1)));
      expect(own).toHaveLength(40);
    }
  });
});

describe('on a full disk', () => {
  test('a change fails and is not applied, and the next one succeeds when there is space', async () => {
    const { error, counted } = (await exchangeMessages(startWriter('child', { maxFile: 1 }), {
      task: 'append until failure',
    })) as { error: string; counted: number };
    expect(error).toBe('EFBIG');
    expect(counted).toBeGreaterThan(0);
    // The file has a part of the line that did not fit.
    expect(readFileSync(file, 'utf8')).not.toMatch(/\n$/);
    log.refresh();
    expect(log.changes()).toHaveLength(counted);
    expect(activate(third).revision).toBe(counted + 1);
    expect(new ReleaseLog(folder).changes()).toHaveLength(counted + 1);
  });
});

describe('on a disk that fails', () => {
  const task = 'append to failing disk';

  test.each([
    ['the first one', 0],
    ['a later one', 2],
  ])("a change that can't be synced, %s, is never applied", async (_which, before) => {
    for (let count = 0; count < before; count += 1) activate(first);
    const writer = startWriter('child');
    expect(await exchangeMessages(writer, { task, number: 2 })).toBe('EIO');
    await exchangeMessages(writer, { task: 'read' });
    for (const read of [log, new ReleaseLog(folder)]) {
      read.refresh();
      expect(versionsIn(read)).toEqual(Array(before).fill(first));
      expect(read.problems()).toEqual([]);
    }
    expect(await exchangeMessages(writer, { task: 'append', number: 3 })).toBe('counted');
    expect(versionsIn(new ReleaseLog(folder))).toEqual([...Array(before).fill(first), third]);
  });

  test("a change that can't be synced does not remove changes of other writers", async () => {
    activate(first);
    const others = JSON.stringify({
      ...activation(second, { remote: 'mf-privacy' }),
      at: '2026-11-21T00:00:00.000Z',
      revision: 1,
    });
    expect(await exchangeMessages(startWriter('child'), { task, number: 3, others: `${others}\n` })).toBe('EIO');
    const read = new ReleaseLog(folder);
    expect(read.stateOf('mf-privacy').active).toBe(second);
    expect(activeIn(read)).toBe(first);
  });

  test('a change that can be neither synced nor voided is reported as possibly valid', async () => {
    activate(first);
    expect(await exchangeMessages(startWriter('child'), { task, number: 2, failures: 'all' })).toMatch(
      /^Change 2 of mf-legal could not be synced to the release log, and may count nevertheless: EIO/,
    );
  });
});

describe('a replaced log', () => {
  const backup = () => {
    const copy = readFileSync(file);
    return {
      byCopying: () => writeFileSync(file, copy),
      byRenaming: () => {
        writeFileSync(`${file}.new`, copy);
        renameSync(`${file}.new`, file);
      },
    };
  };

  test.each(['byCopying', 'byRenaming'] as const)('%s is read from its start', (how) => {
    activate(first);
    const restored = backup();
    activate(second);
    restored[how]();
    expect(log.refresh()).toBe(true);
    expect(versionsIn(log)).toEqual([first]);
    expect(activate(third).revision).toBe(2);
    expect(versionsIn(new ReleaseLog(folder))).toEqual([first, third]);
  });

  test('is read from its start even if it is longer', () => {
    activate(first);
    const other = new ReleaseLog(path.join(folder, 'other'));
    for (const version of [third, second, third]) activate(version, other);
    renameSync(path.join(folder, 'other', logFileName), file);
    log.refresh();
    expect(versionsIn(log)).toEqual([third, second, third]);
  });

  test('has new state objects, so that caches by identity detect it', () => {
    activate(first);
    const [before, restored] = [log.stateOf('mf-legal'), backup()];
    activate(second);
    restored.byCopying();
    log.refresh();
    expect(log.stateOf('mf-legal')).not.toBe(before);
    expect(log.stateOf('mf-legal')).toEqual(before);
  });

  test.each([
    ['removed', () => rmSync(file)],
    ['emptied', () => writeFileSync(file, '')],
  ])('keeps the state while the log is %s, until there are changes again', (_what, lose) => {
    activate(first);
    lose();
    expect(log.refresh()).toBe(false);
    expect(activeIn(log)).toBe(first);
    new ReleaseLog(folder).append(activation(second));
    log.refresh();
    expect(versionsIn(log)).toEqual([second]);
  });
});

describe('a folder without a readable log', () => {
  test('throws immediately if the folder is a file', () => {
    writeFileSync(path.join(folder, 'file'), '');
    expect(() => new ReleaseLog(path.join(folder, 'file'))).toThrow('ENOTDIR');
  });

  test('is an empty log if the folder is missing', () => {
    const missing = new ReleaseLog(path.join(folder, 'not', 'yet'));
    expect(missing.refresh()).toBe(false);
    expect(missing.changes()).toEqual([]);
    activate(first, missing);
    expect(activeIn(new ReleaseLog(path.join(folder, 'not', 'yet')))).toBe(first);
  });
});
