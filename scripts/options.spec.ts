import { describe, expect, test } from '@jest/globals';
import { chosenRemote } from './chosen-remote.ts';
import { resolveDevelopment } from './develop.ts';
import { type ParsedOptions, resolveOptions } from './release/options.ts';

const ofLegal = { npm_package_name: 'mf-legal', INIT_CWD: '/home/team' };

describe('the remote of a command', () => {
  test.each<[string, string | undefined, NodeJS.ProcessEnv, string | undefined]>([
    ['is the named one', 'mf-offers', {}, 'mf-offers'],
    ['may end like the folder that a shell completes', 'mf-offers/', {}, 'mf-offers'],
    ['is the workspace of npm -w, or of the folder that npm is called in', undefined, ofLegal, 'mf-legal'],
    ['is the named one, also in the folder of another one', 'mf-offers', ofLegal, 'mf-offers'],
    ['is none at the root', undefined, { npm_package_name: 'daybook' }, undefined],
  ])('%s', (_what, named, environment, remote) => expect(chosenRemote(named, environment)).toBe(remote));

  test('is rejected with the names of all if there is none of that name', () => {
    expect(() => chosenRemote('legal', {})).toThrow(/^There is no remote “legal”; write one of mf-legal, /);
  });
});

describe('npm run dev', () => {
  test('develops the whole repository, one remote, or one remote in a running site', () => {
    const site = 'https://daybook.example';
    expect(resolveDevelopment(undefined, {}, { npm_package_name: 'daybook' })).toEqual({ remote: undefined });
    expect(resolveDevelopment(undefined, {}, ofLegal)).toEqual({ remote: 'mf-legal' });
    expect(resolveDevelopment(undefined, { site }, ofLegal)).toEqual({ remote: 'mf-legal', site });
  });

  test.each([
    '',
    'daybook.example',
    'file:///etc',
    'https://daybook.example/terms',
    'https://me:secret@daybook.example',
  ])('rejects the site “%s” with an example', (site) =>
    expect(() => resolveDevelopment(undefined, { site }, ofLegal)).toThrow(
      "--site needs the address of a site's home page: npm run dev mf-legal -- --site https://daybook.example",
    ),
  );

  test('rejects a site without a remote, and an option that npm consumed', () => {
    expect(() => resolveDevelopment(undefined, { site: 'https://daybook.example' }, {})).toThrow(
      /^With --site, you develop one /,
    );
    expect(() => resolveDevelopment(undefined, {}, { ...ofLegal, npm_config_site: 'true' })).toThrow(
      'npm consumed --site;',
    );
  });
});

describe('npm run release', () => {
  const resolve = (options: ParsedOptions, environment: NodeJS.ProcessEnv = {}) =>
    resolveOptions(undefined, options, { ...ofLegal, ...environment }, { url: 'http://localhost:8080' });

  test('publishes to the site of npm start by default', () => {
    expect(resolve({})).toMatchObject({ remote: 'mf-legal', site: 'http://localhost:8080', isLocal: true, at: '' });
  });

  test('prints commands for the named site', () => {
    const named = { site: 'https://daybook.example/', tokenFile: 'token' };
    expect(resolve(named)).toMatchObject({
      site: 'https://daybook.example',
      isLocal: false,
      at: ' --site https://daybook.example --token-file token',
      tokenFile: '/home/team/token',
    });
  });

  test('needs a site, unless it publishes nothing', () => {
    expect(() => resolveOptions(undefined, {}, ofLegal)).toThrow(
      'No site runs on this machine. Start it with npm start',
    );
    expect(resolveOptions(undefined, { dryRun: true }, ofLegal).site).toBeUndefined();
  });

  test.each<[string, ParsedOptions]>([
    ['A release is a canary or only kept', { keep: true, percent: '10' }],
    ['--site needs a URL', { site: 'localhost:8080' }],
    ['--percent: ', { percent: '100' }],
    ['--percent: ', { percent: 'ten' }],
    ['--replace needs the reason', { replace: ' ' }],
    ['--replace: must have 200 characters or fewer', { replace: 'x'.repeat(201) }],
  ])('says “%s” for %j', (message, options) => {
    expect(() => resolve(options)).toThrow(message);
  });

  test('is of one remote', () => {
    expect(() => resolve({}, { npm_package_name: 'daybook' })).toThrow('A release is of one remote');
  });

  test.each(['dry_run', 'token_file', 'keep'])('says that npm consumed the option %s', (name) => {
    expect(() => resolve({}, { [`npm_config_${name}`]: 'true' })).toThrow('npm consumed --');
  });
});
