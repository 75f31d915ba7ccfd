import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { contractVersion, type Release } from '@daybook/contract/release';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { templateTexts } from '../gate/template-texts.ts';
import { checkTexts, passGate } from './checks.ts';

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
let origins: Map<string, string>;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'daybook-gate-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Creates the origins of these remotes. */
function offer(...releases: readonly (Release | string)[]): void {
  origins = new Map(
    releases.map((release, index) => {
      const name = typeof release === 'string' ? `mf-${index}` : release.name;
      const origin = path.join(folder, name);
      mkdirSync(origin);
      writeFileSync(path.join(origin, 'release.json'), typeof release === 'string' ? release : JSON.stringify(release));
      return [name, `file:${origin}`];
    }),
  );
}

const press = releaseOf('mf-press', '/press', '/facts');

/** Passes a candidate through the gate; returns the reported lines. */
async function pass(release = press): Promise<readonly string[]> {
  const lines: string[] = [];
  await passGate({ folder, release, text: JSON.stringify(release) }, origins, (line) => lines.push(line));
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
    const away = 'http://127.0.0.1:1';
    origins.set('mf-away', away).set('mf-new', `file:${folder}/mf-new`);
    expect((await pass()).toSorted()).toEqual([
      expect.stringMatching(/^not compared with mf-0, file:.*: .* is not JSON: <!doctype html>$/),
      expect.stringMatching(new RegExp(`^not compared with mf-away, ${away}: .*ECONNREFUSED`)),
    ]);
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
    const folderOfTemplate = path.join(import.meta.dirname, '../../../template');
    const template = files.map((file) => readFileSync(path.join(folderOfTemplate, file), 'utf8')).join();
    for (const text of templateTexts) expect(template).toContain(text);
    expect(() => check('Facts for journalists.', '<p>Facts</p>')).not.toThrow();
    expect(() => check(`Press: ${templateTexts[0]}.`, `<p>${templateTexts[1]}</p>`)).toThrow(
      `/press: it still says “${templateTexts[0]}”, as the template does; write its own text.\n/press: it still says “${templateTexts[1]}”, as the template does; write its own text.`,
    );
  });
});
