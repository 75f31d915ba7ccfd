import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { contractVersion, type Release } from '@daybook/contract/release';
import { templateTexts } from '@daybook/releases';
import { findFreePort } from '@daybook/testing/ports';
import { root } from '@daybook/testing/workspaces';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { checkShared, checkTexts, passGate } from './checks.ts';

const entry = 'remoteEntry.00000001.js';
const releaseOf = (name: string, ...paths: readonly string[]): Release => ({
  name,
  version: '1.0.0-00000001',
  contract: contractVersion,
  designSystem: null,
  entry,
  routes: paths.map((each) => ({ path: each, title: 'Title', description: 'Text.', frame: 'site', files: [] })),
  files: { [entry]: { integrity: `sha384-${'A'.repeat(64)}`, size: 1 } },
});

let folder: string;
const originalRemotes = process.env.REMOTES;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'daybook-gate-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
  process.env.REMOTES = originalRemotes ?? '';
});

/** Creates the origin folders of these remotes and lists them in `REMOTES`. */
function offer(...releases: readonly (Release | string)[]): void {
  const origins = releases.map((release, index) => {
    const name = typeof release === 'string' ? `mf-${index}` : release.name;
    const origin = path.join(folder, name);
    mkdirSync(origin);
    writeFileSync(path.join(origin, 'release.json'), typeof release === 'string' ? release : JSON.stringify(release));
    return `${name}=file:${origin}`;
  });
  process.env.REMOTES = origins.join(',');
}

const press = releaseOf('mf-press', '/press', '/facts');

/** Passes a candidate through the gate; returns the reported lines. */
async function pass(release = press): Promise<readonly string[]> {
  const lines: string[] = [];
  await passGate({ folder, release, text: JSON.stringify(release) }, (line) => lines.push(line));
  return lines;
}

describe('the gate for release candidates', () => {
  test('accepts a candidate alongside other remotes and the release at its own origin', async () => {
    offer(releaseOf('mf-legal', '/terms'), press);
    expect(await pass()).toEqual([]);
  });

  test('rejects a path of another remote', async () => {
    offer(releaseOf('mf-legal', '/terms', '/facts'));
    await expect(pass()).rejects.toThrow(
      'The shell server would reject mf-press@1.0.0-00000001: its route /facts belongs to mf-legal@1.0.0-00000001. Give the page another path, or have the other remote release without it first.',
    );
  });

  test('rejects a release that the shell server would reject', async () => {
    offer(releaseOf('mf-legal', '/terms'));
    await expect(pass({ ...press, entry: 'gone.js' })).rejects.toThrow(
      'The shell server would reject mf-press@1.0.0-00000001: its entry gone.js is not among its files.',
    );
  });

  test('reports remotes that could not be compared, except those without a release', async () => {
    offer('<!doctype html>');
    const away = `http://127.0.0.1:${await findFreePort()}`;
    process.env.REMOTES += `,mf-away=${away},mf-new=file:${folder}/mf-new`;
    expect((await pass()).toSorted()).toEqual([
      expect.stringMatching(/^ {4}not compared with mf-0, file:.*: .* is not JSON: <!doctype html>$/),
      expect.stringMatching(new RegExp(`^ {4}not compared with mf-away, ${away}: .*ECONNREFUSED`)),
    ]);
  });

  test('reports an invalid REMOTES', async () => {
    process.env.REMOTES = 'mf-legal';
    await expect(pass()).rejects.toThrow('REMOTES: has “mf-legal” in it; write <name>=file:<folder> or');
  });
});

describe('the check for one copy of React', () => {
  const check = (...packages: readonly string[]) => {
    writeFileSync(path.join(folder, 'sources.json'), JSON.stringify({ files: [], packages }));
    checkShared({ folder, release: press, text: '' });
  };

  test('accepts other packages, and rejects those that the shell provides', () => {
    expect(() => check('react-aria', '@module-federation/runtime')).not.toThrow();
    expect(() => check('react-dom', 'scheduler')).toThrow(/^mf-press contains its own copy of react-dom, but a page/);
  });
});

describe('the check for texts of the template', () => {
  const check = (description: string, fragment: string) => {
    writeFileSync(path.join(folder, 'press.html'), fragment);
    const [route] = press.routes;
    checkTexts({ folder, release: { ...press, routes: [{ ...route, description, fragment: 'press.html' }] as never } });
  };

  test('accepts own texts, and names the page and each text that is still the template’s', () => {
    const files = ['src/remote.ts', 'src/pages/template-page.tsx'];
    const template = files.map((file) => readFileSync(path.join(root, 'packages/template', file), 'utf8')).join();
    for (const text of templateTexts) expect(template).toContain(text);
    expect(() => check('Facts for journalists.', '<p>Facts</p>')).not.toThrow();
    expect(() => check(`Press: ${templateTexts[0]}.`, `<p>${templateTexts[1]}</p>`)).toThrow(
      `/press: it still has the text of the template: “${templateTexts[0]}” Write its own.\n/press: it still has the text of the template: “${templateTexts[1]}” Write its own.`,
    );
  });
});
