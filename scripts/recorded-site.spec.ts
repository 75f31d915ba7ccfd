import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startNode } from '@daybook/testing/processes';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { findRunningSite, forgetSite, recordSite } from './recorded-site.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'daybook-site-'));
  file = path.join(folder, '.data', 'site.json');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const siteOf = (pid: number) => ({ address: 'http://localhost:9000', port: 9000, pid, releasesFolder: '/releases' });

describe('the running site', () => {
  test('is found until it is stopped', () => {
    expect(findRunningSite(file)).toBeUndefined();
    recordSite(siteOf(process.pid), file);
    expect(findRunningSite(file)).toEqual(siteOf(process.pid));
    forgetSite(siteOf(process.pid), file);
    expect(existsSync(file)).toBe(false);
  });

  test('is not one that was killed', async () => {
    const child = startNode(['-e', '']);
    await child;
    recordSite(siteOf(Number(child.pid)), file);
    expect(findRunningSite(file)).toBeUndefined();
  });

  test('stays recorded when another one stops', () => {
    recordSite(siteOf(process.pid), file);
    forgetSite(siteOf(process.pid + 1), file);
    expect(findRunningSite(file)).toBeDefined();
  });

  test('is not found in a damaged record', () => {
    recordSite(siteOf(process.pid), file);
    writeFileSync(file, '{');
    expect(findRunningSite(file)).toBeUndefined();
  });
});
