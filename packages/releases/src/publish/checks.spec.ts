import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Release } from '@daybook/contract/release';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { templateTexts } from '../gate/template-texts.ts';
import { releaseOf, routeOf } from '../test/releases.ts';
import { makeTemporaryFolder } from '../test/temporary-folder.ts';
import { checkTexts, passGate } from './checks.ts';

let folder: string;
let origins: Map<string, string>;
beforeEach(() => {
  folder = makeTemporaryFolder();
  origins = new Map();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const releaseWith = (name: string, ...paths: readonly string[]) =>
  releaseOf(name, { routes: paths.map((each) => routeOf(each)) });
const press = releaseWith('mf-press', '/press', '/facts');

/** Offers a release, or another text, at the origin of a remote. */
function offer(name: string, content: Release | string): void {
  const origin = path.join(folder, name);
  mkdirSync(origin);
  writeFileSync(path.join(origin, 'release.json'), typeof content === 'string' ? content : JSON.stringify(content));
  origins.set(name, `file:${origin}`);
}

/** Passes a candidate through the gate; returns the reported lines. */
async function pass(release = press): Promise<readonly string[]> {
  const lines: string[] = [];
  await passGate({ folder, release, text: JSON.stringify(release) }, origins, (line) => lines.push(line));
  return lines;
}

test('the gate accepts a candidate alongside other remotes and the release at its own origin', async () => {
  offer('mf-legal', releaseWith('mf-legal', '/terms'));
  offer('mf-press', press);
  expect(await pass()).toEqual([]);
});

test('the gate rejects a path of another remote, and what the shell server would reject', async () => {
  offer('mf-legal', releaseWith('mf-legal', '/terms', '/facts'));
  await expect(pass()).rejects.toThrow(
    'The shell server would reject mf-press@1.0.0-00000001: its route /facts belongs to mf-legal@1.0.0-00000001. Give the page another path, or have the other remote release without it first.',
  );
  await expect(pass({ ...press, entry: 'gone.js' })).rejects.toThrow(
    /^The shell server would reject mf-press@1\.0\.0-00000001: its entry gone\.js is not among its files\.$/,
  );
});

test('the gate reports remotes that could not be compared, except those without a release', async () => {
  offer('mf-page', '<!doctype html>');
  const away = 'http://127.0.0.1:1';
  origins.set('mf-away', away).set('mf-new', `file:${folder}/mf-new`);
  expect((await pass()).toSorted()).toEqual([
    expect.stringMatching(new RegExp(`^not compared with mf-away, ${away}: .*ECONNREFUSED`)),
    expect.stringMatching(/^not compared with mf-page, file:.*: .* is not JSON: <!doctype html>$/),
  ]);
});

test('the check for texts of the template accepts own texts, and names the page and each text that is the template’s', () => {
  const folderOfTemplate = path.join(import.meta.dirname, '../../../template/src');
  const files = ['remote.ts', 'pages/template-page.tsx'].map((file) => path.join(folderOfTemplate, file));
  const template = files.map((file) => readFileSync(file, 'utf8')).join();
  for (const text of templateTexts) expect(template).toContain(text);
  const check = (description: string, fragment: string) => {
    writeFileSync(path.join(folder, 'press.html'), fragment);
    const routes = [routeOf('/press', { description, fragment: 'press.html' })];
    checkTexts({ folder, release: releaseOf('mf-press', { routes }) });
  };
  expect(() => check('Facts for journalists.', '<p>Facts</p>')).not.toThrow();
  expect(() => check(`Press: ${templateTexts[0]}.`, `<p>${templateTexts[1]}</p>`)).toThrow(
    `/press: it still says “${templateTexts[0]}”, as the template does; write its own text.\n/press: it still says “${templateTexts[1]}”, as the template does; write its own text.`,
  );
});
