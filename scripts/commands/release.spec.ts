import { describe, expect, test } from '@jest/globals';
import { describePreviewed, describePublished, resolveOptions } from './release.ts';

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

describe('the summary of a published release', () => {
  test('suggests a rollback if visitors have the release', () => {
    expect(describePublished('mf-legal', { text: 'Visitors got it.', isActive: true })).toBe(
      `  Visitors got it.
  inspect:    npm run releases -- show mf-legal
  roll back:  npm run releases -- rollback mf-legal --why "…"`,
    );
  });

  test('suggests no rollback if the release only waits', () => {
    const text = 'http://127.0.0.1:8080 has stored it. It waits until the remote is unpinned.';
    expect(describePublished('mf-legal', { text })).toBe(`  ${text}\n  inspect:    npm run releases -- show mf-legal`);
  });
});

describe('the summary of a published preview', () => {
  const release = { name: 'mf-legal', version: '1.0.1-00000002' } as const;

  test('has the link on the site, and names the next commands', () => {
    expect(describePreviewed(release, 'token', 'https://daybook.example', 'It is shown.')).toBe(
      `  It is shown.
  link:       https://daybook.example/_preview/token
              for 7 days; whoever has it sees the whole site with this release
  activate:   npm run releases -- activate mf-legal 1.0.1-00000002
  end:        npm run releases -- preview mf-legal --end`,
    );
  });

  test('has the path if the site is not known', () => {
    expect(describePreviewed(release, 'token', undefined, '')).toContain(
      'link:       /_preview/token, after the address of the site',
    );
  });
});
