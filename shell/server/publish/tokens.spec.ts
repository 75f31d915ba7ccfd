import { hash } from 'node:crypto';
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { makeTemporaryFolder } from '@daybook/testing/temporary-folder';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { parseTokens, Tokens } from './tokens.ts';

const sha256 = (token: string) => hash('sha256', token);
const line = (name: string, remotes: string, token = name) => `${name} ${remotes} ${sha256(token)}`;

test('a line is a name, remotes, and the hash of a token', () => {
  const text = `# teams\n${line('legal-ci', 'mf-legal,mf-offers')}\r\n\n  ${line('ann@daybook.example', '*').toUpperCase()}\n`;
  expect(parseTokens(text)).toEqual([
    { name: 'legal-ci', remotes: ['mf-legal', 'mf-offers'], sha256: sha256('legal-ci') },
    { name: 'ANN@DAYBOOK.EXAMPLE', remotes: '*', sha256: sha256('ann@daybook.example') },
  ]);
});

test.each([
  `legal-ci ${sha256('a')}`,
  `legal-ci *,mf-legal ${sha256('a')}`,
  `legal-ci mf-legal ${sha256('a').slice(1)}`,
])('a malformed line is named: %s', (malformed) => {
  expect(() => parseTokens(`${line('ann', '*')}\n${malformed}`)).toThrow(/^Line 2 is not a name, remotes or \*, and/);
});

let file: string;
const report = jest.fn<(problem: string) => void>();
beforeEach(() => {
  file = path.join(makeTemporaryFolder(), 'tokens');
  report.mockClear();
});
afterEach(() => rmSync(path.dirname(file), { recursive: true }));
/** Replaces the file, as a secret store does. */
const write = (text: string) => {
  writeFileSync(`${file}.new`, text);
  renameSync(`${file}.new`, file);
};

test.each<[string, () => void]>([
  ['malformed', () => write('ann *')],
  ['empty', () => write('')],
])('while the file is %s, the former tokens stay, and it is reported once', (_how, spoil) => {
  write([line('ann', '*'), line('b', 'mf-offers,mf-legal'), line('c', 'mf-legal')].join('\n'));
  const tokens = new Tokens(file);
  expect(tokens.remotes).toEqual(['mf-legal', 'mf-offers']);
  spoil();
  for (let times = 0; times < 3; times += 1) tokens.refresh(report);
  expect([tokens.find('ann')?.name, report.mock.calls.length]).toEqual(['ann', 1]);
  write(line('bob', '*'));
  tokens.refresh(report);
  expect(tokens.find('bob')?.name).toBe('bob');
});
