import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Release } from '@daybook/contract/release';
import { releaseOf, routeOf } from '@daybook/testing/releases';
import { makeTemporaryFolder } from '@daybook/testing/temporary-folder';
import { afterAll, expect, test } from '@jest/globals';
import { checkManifest, checkTexts, templateTexts } from './read-build.ts';

const folder = makeTemporaryFolder();
afterAll(() => rmSync(folder, { recursive: true }));

test('everything that a site would reject of a manifest is named', () => {
  const press = releaseOf('mf-press');
  const check = (release: Release) => checkManifest({ folder, release, text: JSON.stringify(release) });
  expect(() => check(press)).not.toThrow();
  expect(() => check({ ...press, entry: 'gone.js', routes: [routeOf('/press', { files: ['gone.css'] })] })).toThrow(
    'The site would reject mf-press@1.0.0-000000000001:\n  Its entry gone.js is not among its files.\n  gone.css, which',
  );
});

test('texts of the template are named with their page', () => {
  const check = (description: string, html: string) => {
    writeFileSync(path.join(folder, 'press.html'), html);
    const route = routeOf('/press', { description, fragment: 'press.html' });
    checkTexts({ folder, release: releaseOf('mf-press', { routes: [route] }) });
  };
  expect(() => check('Facts.', '<p>Facts</p>')).not.toThrow();
  expect(() => check(`Press: ${templateTexts[0]}.`, `<p>${templateTexts[1]}</p>`)).toThrow(
    `/press still says “${templateTexts[0]}”, as the template does. Write its own text.\n/press still says “${templateTexts[1]}”`,
  );
});
