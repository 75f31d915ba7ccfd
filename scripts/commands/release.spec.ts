import { describe, expect, test } from '@jest/globals';
import { resolveOptions } from './release.ts';

const ofLegal = { npm_package_name: 'mf-legal', INIT_CWD: '/home/team' };

describe('npm run release', () => {
  test('is of the remote whose script it is', () => {
    const site = 'http://localhost:8080';
    expect(resolveOptions({}, ofLegal)).toEqual({ remote: 'mf-legal', site, dryRun: false, to: undefined });
  });

  test('publishes to a folder from where it was called', () => {
    expect(resolveOptions({ to: '../origin' }, ofLegal).to).toBe('/home/origin');
  });

  test('watches the site of npm start, which polls no other folder, or the one that is named', () => {
    expect(resolveOptions({}, { ...ofLegal, PORT: '9000' }).site).toBe('http://localhost:9000');
    expect(resolveOptions({ to: 'origin' }, ofLegal).site).toBeUndefined();
    const site = 'https://daybook.example';
    expect(resolveOptions({ to: 'origin', site }, ofLegal).site).toBe(site);
  });

  test('publishes nothing where npm took --dry-run for itself', () => {
    expect(resolveOptions({}, { ...ofLegal, npm_config_dry_run: 'true' }).dryRun).toBe(true);
  });

  test('rejects a package that is no remote, and options that cannot be meant', () => {
    expect(() => resolveOptions({}, { npm_package_name: 'daybook' })).toThrow('A release is of one remote');
    expect(() => resolveOptions({ to: '' }, ofLegal)).toThrow('--to needs a folder');
    expect(() => resolveOptions({ site: 'localhost:8080' }, ofLegal)).toThrow('--site needs an address');
  });

  test.each([
    ['to', 'npm_config_to'],
    ['to', 'npm_config_token_description'],
    ['site', 'npm_config_site'],
  ])('rejects --%s where npm took it for itself, as %s', (option, variable) => {
    expect(() => resolveOptions({}, { ...ofLegal, [variable]: 'x' })).toThrow(`npm took --${option} for itself`);
  });
});
