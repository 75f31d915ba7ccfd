import { describe, expect, test } from '@jest/globals';
import { resolveDevelopment } from './develop.ts';
import { resolveOptions } from './release.ts';

const ofLegal = { npm_package_name: 'mf-legal', INIT_CWD: '/home/team' };

describe('npm run dev', () => {
  test('develops the whole repository, one remote, or one remote in a running site', () => {
    const site = 'https://daybook.example';
    expect(resolveDevelopment({}, { npm_package_name: 'daybook' })).toEqual({ remote: undefined });
    expect(resolveDevelopment({}, ofLegal)).toEqual({ remote: 'mf-legal' });
    expect(resolveDevelopment({ site }, ofLegal)).toEqual({ remote: 'mf-legal', site });
  });

  test.each([
    '',
    'daybook.example',
    'file:///etc',
    'https://daybook.example/terms',
    'https://me:secret@daybook.example',
  ])('rejects the site “%s” with an example', (site) =>
    expect(() => resolveDevelopment({ site }, ofLegal)).toThrow(
      "--site needs the address of a site's home page: npm run dev -w mf-legal -- --site https://daybook.example",
    ),
  );

  test('rejects a site without a remote, and an option that npm consumed', () => {
    expect(() => resolveDevelopment({ site: 'https://daybook.example' }, {})).toThrow(/^With --site, you develop one /);
    expect(() => resolveDevelopment({}, { ...ofLegal, npm_config_site: 'true' })).toThrow('npm consumed --site;');
  });
});

describe('npm run release', () => {
  test('releases the remote whose package script was called, by default to the site of npm start', () => {
    const [address, publicOrigin] = ['http://localhost:8080', 'https://daybook.test'];
    const local = { address, publicUrl: `${publicOrigin}/` };
    const options = { remote: 'mf-legal', dryRun: false, site: address, publicOrigin, at: '' };
    expect(resolveOptions({}, ofLegal, local)).toMatchObject(options);
    const site = 'https://daybook.example';
    expect(resolveOptions({ site: `${site}/` }, ofLegal, local)).toMatchObject({
      site,
      publicOrigin: site,
      at: ` --site ${site}`,
    });
  });

  test('is rejected before anything is built if there is no site, unless it publishes nothing', () => {
    expect(() => resolveOptions({}, ofLegal)).toThrow(
      'No site runs on this machine. Start it with npm start, or name another one: npm run release -w mf-legal -- --site https://',
    );
    expect(resolveOptions({ dryRun: true }, ofLegal).site).toBeUndefined();
    expect(resolveOptions({ showKey: true }, ofLegal).showKey).toBe(true);
  });

  test('publishes nothing if npm consumed --dry-run', () => {
    expect(resolveOptions({}, { ...ofLegal, npm_config_dry_run: 'true' }).dryRun).toBe(true);
  });

  test('rejects a package that is not a remote, and invalid options', () => {
    expect(() => resolveOptions({}, { npm_package_name: 'daybook' })).toThrow('A release is of one remote');
    expect(() => resolveOptions({ preview: true, percent: '10' }, ofLegal)).toThrow(
      'A release is a canary or a preview',
    );
    expect(() => resolveOptions({ site: 'localhost:8080' }, ofLegal)).toThrow('--site needs an address');
  });

  test.each([
    ['site', 'npm_config_site'],
    ['key-file', 'npm_config_key_file'],
    ['preview', 'npm_config_preview'],
    ['date-is-right', 'npm_config_date_is_right'],
  ])('rejects --%s if npm consumed it as %s', (option, variable) => {
    expect(() => resolveOptions({}, { ...ofLegal, [variable]: 'x' })).toThrow(`npm consumed --${option};`);
  });
});
