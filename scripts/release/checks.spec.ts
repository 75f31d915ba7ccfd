import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { checkShared, siteOrigins } from './checks.ts';

let folder: string;
const originalRemotes = process.env.REMOTES;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'daybook-checks-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
  process.env.REMOTES = originalRemotes ?? '';
});

describe('the origins that a candidate is compared with', () => {
  test('are those of REMOTES, with folders from the root of the repository', () => {
    process.env.REMOTES = 'mf-legal=http://127.0.0.1:8081/mf-legal,mf-press=file:/origins/mf-press';
    expect(siteOrigins()).toEqual(
      new Map([
        ['mf-legal', 'http://127.0.0.1:8081/mf-legal'],
        ['mf-press', 'file:/origins/mf-press'],
      ]),
    );
  });

  test('are rejected if REMOTES is invalid', () => {
    process.env.REMOTES = 'mf-legal';
    expect(siteOrigins).toThrow('REMOTES: has “mf-legal” in it; write <name>=file:<folder> or');
  });
});

describe('the check for one copy of React', () => {
  const check = (...packages: readonly string[]) => {
    writeFileSync(path.join(folder, 'sources.json'), JSON.stringify({ files: [], packages }));
    checkShared('mf-press', folder);
  };

  test('accepts other packages, and rejects those that the shell provides', () => {
    expect(() => check('react-aria', '@module-federation/runtime')).not.toThrow();
    expect(() => check('react-dom', 'scheduler')).toThrow(/^mf-press contains its own copy of react-dom, but a page/);
  });
});
