import { describe, expect, test } from '@jest/globals';
import { chosenRemote } from './chosen-remote.ts';
import { resolveDevelopment } from './develop.ts';
import { type ParsedOptions, resolveOptions } from './release/options.ts';

const ofLegal = { npm_package_name: 'mf-legal', INIT_CWD: '/home/team' };
const site = 'https://daybook.example';

describe('the remote of a command', () => {
  test.each<[string, string | undefined, NodeJS.ProcessEnv, string | undefined]>([
    ['may end like the folder that a shell completes', 'mf-offers/', ofLegal, 'mf-offers'],
    ['is the workspace of npm -w, or of the folder that npm is called in', undefined, ofLegal, 'mf-legal'],
    ['is none at the root', undefined, { npm_package_name: 'daybook' }, undefined],
  ])('%s', (_what, named, environment, remote) => expect(chosenRemote(named, environment)).toBe(remote));

  test('is rejected with the names of all if there is none of that name', () => {
    expect(() => chosenRemote('legal', {})).toThrow(/^There is no remote “legal”; write one of mf-legal, /);
  });
});

describe('npm run dev', () => {
  test('develops the whole repository, one remote, or one remote in a running site', () => {
    expect(resolveDevelopment(undefined, {}, {})).toEqual({ remote: undefined });
    expect(resolveDevelopment(undefined, {}, ofLegal)).toEqual({ remote: 'mf-legal' });
    expect(resolveDevelopment(undefined, { site }, ofLegal)).toEqual({ remote: 'mf-legal', site });
  });

  test.each<[string, string, NodeJS.ProcessEnv]>([
    ["--site needs the address of a site's home page: npm run dev mf-legal", `${site}/terms`, ofLegal],
    ['With --site, you develop one ', site, {}],
    ['npm consumed --site;', site, { npm_config_site: 'true' }],
  ])('says “%s”', (message, given, environment) =>
    expect(() => resolveDevelopment(undefined, { site: given }, environment)).toThrow(message),
  );
});

describe('npm run release', () => {
  const resolve = (options: ParsedOptions, environment: NodeJS.ProcessEnv = {}) =>
    resolveOptions(undefined, options, { ...ofLegal, ...environment }, { url: 'http://localhost:8080' });

  test('publishes to the site of npm start by default', () => {
    expect(resolve({})).toMatchObject({ remote: 'mf-legal', site: 'http://localhost:8080', isLocal: true, at: '' });
  });

  test('prints commands for the named site', () => {
    expect(resolve({ site: `${site}/`, tokenFile: 'token' })).toMatchObject({
      site,
      isLocal: false,
      at: ` --site ${site} --token-file token`,
      tokenFile: '/home/team/token',
    });
  });

  test('needs a site, unless it publishes nothing', () => {
    expect(() => resolveOptions(undefined, {}, ofLegal)).toThrow(
      'No site runs on this machine. Start it with npm start',
    );
    expect(resolveOptions(undefined, { dryRun: true }, ofLegal).site).toBeUndefined();
  });

  test.each<[string, ParsedOptions, NodeJS.ProcessEnv]>([
    ['A release is a canary or only kept', { keep: true, percent: '10' }, {}],
    ['--site needs a URL', { site: 'localhost:8080' }, {}],
    ['--percent: ', { percent: '100' }, {}],
    ['--replace needs the reason', { replace: ' ' }, {}],
    ['A release is of one remote', {}, { npm_package_name: 'daybook' }],
    ['npm consumed --dry-run', {}, { npm_config_dry_run: 'true' }],
  ])('says “%s” for %j', (message, options, environment) => {
    expect(() => resolve(options, environment)).toThrow(message);
  });
});
