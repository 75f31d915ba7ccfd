import { describe, expect, test } from '@jest/globals';
import { resolveOptions } from './release.ts';

const ofLegal = { npm_package_name: 'mf-legal', INIT_CWD: '/home/team' };

describe('npm run release', () => {
  test('releases the remote whose package script was called', () => {
    expect(resolveOptions({}, ofLegal)).toEqual({
      remote: 'mf-legal',
      site: undefined,
      dryRun: false,
      to: undefined,
      preview: false,
      showKey: false,
      typo: false,
      signing: {},
    });
  });

  test('resolves --to from the folder in which npm was called', () => {
    expect(resolveOptions({ to: '../origin' }, ofLegal).to).toBe('/home/origin');
  });

  test('publishes nothing if npm consumed --dry-run', () => {
    expect(resolveOptions({}, { ...ofLegal, npm_config_dry_run: 'true' }).dryRun).toBe(true);
  });

  test('rejects a package that is not a remote, and invalid options', () => {
    expect(() => resolveOptions({}, { npm_package_name: 'daybook' })).toThrow('A release is of one remote');
    expect(() => resolveOptions({ to: '' }, ofLegal)).toThrow('--to needs a folder');
    expect(() => resolveOptions({ site: 'localhost:8080' }, ofLegal)).toThrow('--site needs an address');
  });

  test.each([
    ['to', 'npm_config_to'],
    ['to', 'npm_config_token_description'],
    ['site', 'npm_config_site'],
    ['key-file', 'npm_config_key_file'],
    ['preview', 'npm_config_preview'],
    ['typo', 'npm_config_typo'],
  ])('rejects --%s if npm consumed it as %s', (option, variable) => {
    expect(() => resolveOptions({}, { ...ofLegal, [variable]: 'x' })).toThrow(`npm consumed --${option};`);
  });
});
