import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { releaseOf, routeOf } from '@daybook/testing/releases';
import { makeTemporaryFolder } from '@daybook/testing/temporary-folder';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { checkManifest, checkTexts, templateTexts } from './checks.ts';

let folder: string;
beforeEach(() => {
  folder = makeTemporaryFolder();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('what a site would reject of a manifest is said before it is sent, every reason', () => {
  const press = releaseOf('mf-press', { routes: [routeOf('/press')] });
  const check = (release = press) => checkManifest({ folder, release, text: JSON.stringify(release) });
  expect(() => check()).not.toThrow();
  expect(() => check({ ...press, entry: 'gone.js', routes: [routeOf('/press', { files: ['gone.css'] })] })).toThrow(
    'The site would reject mf-press@1.0.0-00000001: its entry gone.js is not among its files.\ngone.css, which /press needs, is not among its files.',
  );
});

test('the check for texts of the template accepts own texts, and names the page and each text that is the template’s', () => {
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
