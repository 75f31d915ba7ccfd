import { describe, expect, test } from '@jest/globals';
import { chosenRemote } from './chosen-remote.ts';
import { resolveDevelopment } from './develop.ts';
import { resolveOptions } from './release/options.ts';

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
  test('releases the remote whose package script was called, by default to the site of npm start', () => {
    const [url, publicOrigin] = ['http://localhost:8080', 'https://daybook.test'];
    const local = { url, publicUrl: `${publicOrigin}/` };
    const options = { remote: 'mf-legal', dryRun: false, site: url, publicOrigin, at: '' };
    expect(resolveOptions(undefined, {}, ofLegal, local)).toMatchObject(options);
    const site = 'https://daybook.example';
    expect(resolveOptions(undefined, { site: `${site}/` }, ofLegal, local)).toMatchObject({
      site,
      publicOrigin: site,
      at: ` --site ${site}`,
    });
  });

  test('is rejected before anything is built if there is no site, unless it publishes nothing', () => {
    expect(() => resolveOptions(undefined, {}, ofLegal)).toThrow(
      'No site runs on this machine. Start it with npm start, or name another one: npm run release mf-legal -- --site https://',
    );
    expect(resolveOptions(undefined, { dryRun: true }, ofLegal).site).toBeUndefined();
    expect(resolveOptions(undefined, { showKey: true }, ofLegal).showKey).toBe(true);
  });

  test('publishes nothing if npm consumed --dry-run', () => {
    expect(resolveOptions(undefined, {}, { ...ofLegal, npm_config_dry_run: 'true' }).dryRun).toBe(true);
  });

  test('rejects a package that is not a remote, and invalid options', () => {
    expect(() => resolveOptions(undefined, {}, { npm_package_name: 'daybook' })).toThrow('A release is of one remote');
    expect(() => resolveOptions(undefined, { preview: true, percent: '10' }, ofLegal)).toThrow(
      'A release is a canary or a preview',
    );
    expect(() => resolveOptions(undefined, { site: 'localhost:8080' }, ofLegal)).toThrow('--site needs a URL');
  });

  test.each([
    ['site', 'npm_config_site'],
    ['key-file', 'npm_config_key_file'],
    ['preview', 'npm_config_preview'],
    ['date-is-right', 'npm_config_date_is_right'],
  ])('rejects --%s if npm consumed it as %s', (option, variable) => {
    expect(() => resolveOptions(undefined, {}, { ...ofLegal, [variable]: 'x' })).toThrow(`npm consumed --${option};`);
  });
});
