import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { newSigner } from '@daybook/testing/releases';
import { makeTemporaryFolder } from '@daybook/testing/temporary-folder';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { parseTeamKeys, TeamKeys } from './team-keys.ts';

const [one, other] = [newSigner().publicKey, newSigner().publicKey];

describe('TEAM_KEYS', () => {
  test.each([
    [`mf-legal:${one},mf-offers:${other}`],
    [`mf-legal: ${one}\nmf-offers: ${other}\n`],
    [` mf-legal:${one} ,, mf-offers:${other}, mf-legal:${one}`],
  ])('is pairs, separated by commas or lines: %j', (text) => {
    expect([...parseTeamKeys(text)]).toEqual([
      ['mf-legal', [one]],
      ['mf-offers', [other]],
    ]);
  });

  test('has several keys of a remote during a rotation', () => {
    const keys = new TeamKeys(`mf-legal:${one},mf-legal:${other}`);
    expect([keys.remotes(), keys.keysOf('mf-legal')]).toEqual([['mf-legal'], [one, other]]);
    for (const unknown of ['mf-offers', '__proto__', 'constructor', '']) expect(keys.keysOf(unknown)).toEqual([]);
  });

  test.each([
    ['', 'names no remote'],
    ['none', 'pair 1 is not'],
    [`mf-legal:${one},mf-offers:none`, 'pair 2 is not'],
    [`mf-legal:${one}:${other}`, 'pair 1 is not'],
    [`MF:${one}`, 'pair 1 is not'],
    [`mf-legal:${one.slice(1)}`, 'pair 1 is not'],
    ...['shell', 'log', 'sign-ins'].map((name) => [`${name}:${one}`, 'which is reserved'] as const),
  ])('is rejected, without a quote, if it is wrong: %j', (text, message) => {
    expect(() => parseTeamKeys(text)).toThrow(message);
    expect(() => parseTeamKeys(text)).not.toThrow(one);
  });
});

describe('a file of keys', () => {
  let file: string;
  let problems: string[];
  let keys: TeamKeys;
  let now: number;
  beforeEach(() => {
    file = path.join(makeTemporaryFolder(), 'team-keys');
    [problems, now] = [[], 10_000];
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    keys = new TeamKeys(`mf-legal:${one}`, file);
  });
  afterEach(() => {
    jest.restoreAllMocks();
    rmSync(path.dirname(file), { recursive: true });
  });
  function refresh(text: string, after = 1_000): readonly string[] {
    writeFileSync(file, text);
    now += after;
    keys.refresh((problem) => void problems.push(problem));
    return keys.remotes();
  }

  test('is read again when it has changed, at most once a second', () => {
    const before = keys.remotes();
    expect(refresh(`mf-legal:${one}\n`)).toBe(before);
    expect(refresh(`mf-legal:${one}\nmf-help:${other}`, 999)).toBe(before);
    expect(refresh(`mf-legal:${one}\nmf-help:${other}`, 1)).toEqual(['mf-legal', 'mf-help']);
    expect(keys.keysOf('mf-help')).toEqual([other]);
    expect([refresh(`mf-help:${other}`), keys.keysOf('mf-legal')]).toEqual([['mf-help'], []]);
    expect(problems).toEqual([]);
  });

  test('keeps its last good content while it is broken, which is reported once each time', () => {
    for (const text of ['', '', 'mf-legal:x', 'mf-legal:x', '']) expect(refresh(text)).toEqual(['mf-legal']);
    expect(problems).toEqual([
      expect.stringMatching(/names no remote.*The last good keys stay\.$/),
      expect.stringContaining('pair 1 is not'),
      expect.stringContaining('names no remote'),
    ]);
    rmSync(file);
    now += 1_000;
    keys.refresh((problem) => void problems.push(problem));
    expect(problems.at(-1)).toContain('ENOENT');
    expect(refresh(`mf-help:${other}`)).toEqual(['mf-help']);
  });
});
