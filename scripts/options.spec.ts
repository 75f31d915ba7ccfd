import { describe, expect, test } from '@jest/globals';
import { chosenRemote } from './chosen-remote.ts';
import { resolveDevelopment } from './develop.ts';
import { type ParsedOptions, resolveOptions } from './release/options.ts';

const ofLegal = { npm_package_name: 'mf-legal', INIT_CWD: '/home/team' };
const site = 'https://daybook.example';

test('the remote of a command is named like a folder, or is the workspace', () => {
  expect(chosenRemote('mf-offers/', ofLegal)).toBe('mf-offers');
  expect(chosenRemote(undefined, ofLegal)).toBe('mf-legal');
  expect(chosenRemote(undefined, { npm_package_name: 'daybook' })).toBeUndefined();
  expect(() => chosenRemote('legal', {})).toThrow(/^There is no remote “legal”; write one of mf-legal, /);
});

describe('npm run dev', () => {
  test('develops the whole repository, or one remote in a running site', () => {
    expect(resolveDevelopment(undefined, {}, {})).toEqual({ remote: undefined });
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

  test('publishes to the named site, or to that of npm start, or nothing', () => {
    const at = ` --site ${site} --token-file token`;
    const named = { site, isLocal: false, at, tokenFile: '/home/team/token' };
    expect(resolve({ site: `${site}/`, tokenFile: 'token' })).toMatchObject(named);
    expect(resolve({})).toMatchObject({ remote: 'mf-legal', site: 'http://localhost:8080', isLocal: true, at: '' });
    expect(() => resolveOptions(undefined, {}, ofLegal)).toThrow('Start it with npm start');
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
