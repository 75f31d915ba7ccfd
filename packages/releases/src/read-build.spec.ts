import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Release, releaseSchema } from '@daybook/contract/release';
import { makeTemporaryFolder } from '@daybook/testing/temporary-folder';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { checkManifest, checkTexts, templateTexts } from './read-build.ts';

let folder: string;
beforeEach(() => {
  folder = makeTemporaryFolder();
});
afterEach(() => rmSync(folder, { recursive: true }));

const press = releaseSchema.parse({
  name: 'mf-press',
  version: '1.0.0-000000000001',
  api: 1,
  entry: 'remoteEntry.js',
  routes: [{ path: '/press', title: 'Press', description: 'For journalists.', frame: 'site', files: [] }],
  files: { 'remoteEntry.js': { integrity: `sha384-${'A'.repeat(64)}`, size: 7 } },
});

const check = (release: Release) => checkManifest({ folder, release, text: JSON.stringify(release) });

test('everything that a site would reject of a manifest is named', () => {
  expect(() => check(press)).not.toThrow();
  const [route] = press.routes as [Release['routes'][number]];
  expect(() => check({ ...press, entry: 'gone.js', routes: [{ ...route, files: ['gone.css'] }] })).toThrow(
    'The site would reject mf-press@1.0.0-000000000001:\n  Its entry gone.js is not among its files.\n  gone.css, which',
  );
});

test('texts of the template are named with their page', () => {
  const [route] = press.routes as [Release['routes'][number]];
  const checkOwn = (description: string, html: string) => {
    writeFileSync(path.join(folder, 'press.html'), html);
    checkTexts({ folder, release: { ...press, routes: [{ ...route, description, fragment: 'press.html' }] } });
  };
  expect(() => checkOwn('Facts.', '<p>Facts</p>')).not.toThrow();
  expect(() => checkOwn(`Press: ${templateTexts[0]}.`, `<p>${templateTexts[1]}</p>`)).toThrow(
    `/press still says “${templateTexts[0]}”, as the template does. Write its own text.\n/press still says “${templateTexts[1]}”`,
  );
});
