import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createTemporarySite, integrity, releaseOf, routeOf, type TemporarySite } from '../test/temporary-site.ts';
import { ActiveReleases } from './active-releases.ts';

let site: TemporarySite;
let problems: string[];
let releases: ActiveReleases;

beforeEach(() => {
  site = createTemporarySite();
  problems = [];
  const origins = ['mf-legal', 'mf-signup'].map((name) => ({ name, folder: site.folderOf(name) }));
  releases = new ActiveReleases(origins, (problem) => problems.push(problem));
});
afterEach(() => site.remove());

const next = (name: string, paths: readonly string[]) =>
  releaseOf(name, { version: '1.0.1-00000002', routes: paths.map((each) => routeOf(each)) });
const active = () => releases.registry().remotes.map(({ name, version }) => `${name}@${version}`);

describe('the registry', () => {
  test('has name, version, entry address, routes and integrity values of each active release', () => {
    site.release(releaseOf('mf-legal'));
    site.release(releaseOf('mf-signup'));
    expect(releases.registry()).toEqual({
      missing: [],
      remotes: ['mf-legal', 'mf-signup'].map((name) => ({
        name,
        version: '1.0.0-00000001',
        entry: `/remotes/${name}/1.0.0-00000001/remoteEntry.00000001.js`,
        routes: [routeOf(`/${name}`)],
        integrity: { 'remoteEntry.00000001.js': integrity },
      })),
    });
  });

  test('does without a remote that has no release', () => {
    site.release(releaseOf('mf-signup'));
    expect(active()).toEqual(['mf-signup@1.0.0-00000001']);
  });

  test('is the same object until a release changes', () => {
    site.release(releaseOf('mf-legal'));
    const before = releases.registry();
    expect(releases.registry()).toBe(before);
    site.release(next('mf-legal', ['/terms', '/cookie-policy']));
    expect(releases.registry()).not.toBe(before);
    expect(active()).toEqual(['mf-legal@1.0.1-00000002']);
  });
});

describe('two releases that claim one path', () => {
  test('at the start: the one named first keeps it, the other is left out and reported once', () => {
    site.release(releaseOf('mf-legal', { routes: [routeOf('/terms')] }));
    site.release(releaseOf('mf-signup', { routes: [routeOf('/'), routeOf('/terms')] }));
    active();
    expect(active()).toEqual(['mf-legal@1.0.0-00000001']);
    expect(problems).toEqual(['mf-signup is left out: its route /terms belongs to mf-legal']);
  });

  test('later on: the one that runs keeps it, though the newcomer is named first', () => {
    site.release(releaseOf('mf-legal'));
    site.release(releaseOf('mf-signup'));
    active();
    site.release(next('mf-legal', ['/terms', '/mf-signup']));
    expect(active()).toEqual(['mf-signup@1.0.0-00000001']);
    expect(problems).toEqual(['mf-legal is left out: its route /mf-signup belongs to mf-signup']);
  });

  test('run both once a newer release gives the path up', () => {
    site.release(releaseOf('mf-legal', { routes: [routeOf('/terms')] }));
    site.release(releaseOf('mf-signup', { routes: [routeOf('/'), routeOf('/terms')] }));
    active();
    site.release(next('mf-signup', ['/']));
    expect(active()).toEqual(['mf-legal@1.0.0-00000001', 'mf-signup@1.0.1-00000002']);
  });
});

describe('the files of the active releases', () => {
  beforeEach(() => {
    const files = {
      'remoteEntry.00000001.js': { integrity, size: 7 },
      'fonts/serif.00000001.woff2': { integrity, size: 7 },
    };
    site.release(releaseOf('mf-legal', { files }));
    site.write('mf-legal/stray.00000001.js', 'not part of the release');
  });

  test.each(['remoteEntry.00000001.js', 'fonts/serif.00000001.woff2'])('%s is found', (file) => {
    expect(releases.locate('mf-legal', '1.0.0-00000001', file)).toEqual({ folder: site.folderOf('mf-legal'), file });
  });

  test.each([
    ['mf-legal', '1.0.0-00000001', 'release.json'],
    ['mf-legal', '1.0.0-00000001', 'stray.00000001.js'],
    ['mf-legal', '1.0.0-00000001', '__proto__'],
    ['mf-legal', '1.0.0-00000001', 'toString'],
    ['mf-legal', '1.0.0-00000001', '../mf-legal/remoteEntry.00000001.js'],
    ['mf-legal', '1.0.0-00000001', './remoteEntry.00000001.js'],
    ['mf-legal', '1.0.0-00000001', ''],
    ['mf-legal', '1.0.0-00000002', 'remoteEntry.00000001.js'],
    ['mf-legal', '', 'remoteEntry.00000001.js'],
    ['mf-signup', '1.0.0-00000001', 'remoteEntry.00000001.js'],
    ['__proto__', '1.0.0-00000001', 'remoteEntry.00000001.js'],
  ])('%s/%s/%s is not found', (name, version, file) => {
    expect(releases.locate(name, version, file)).toBeUndefined();
  });
});
