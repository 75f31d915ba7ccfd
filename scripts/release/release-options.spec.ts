import { describe, expect, test } from '@jest/globals';
import { parseReleaseOptions } from './release-options.ts';

const remotes = ['mf-legal', 'mf-privacy'];
const ofLegal = { npm_package_name: 'mf-legal', INIT_CWD: '/home/team' };
const parse = (parameters: readonly string[], environment: Readonly<Record<string, string>> = ofLegal) =>
  parseReleaseOptions(parameters, environment, remotes);

describe('npm run release', () => {
  test('is of the remote whose script it is', () => {
    expect(parse([])).toEqual({ remote: 'mf-legal', site: 'http://localhost:8080', dryRun: false });
  });

  test('publishes to a folder from where it was called', () => {
    expect(parse(['--to', '../origin']).to).toBe('/home/origin');
  });

  test('watches the site of npm start, which looks at no other folder, or the one that is named', () => {
    expect(parse([], { ...ofLegal, PORT: '9000' }).site).toBe('http://localhost:9000');
    expect(parse(['--to', 'origin']).site).toBeUndefined();
    expect(parse(['--to', 'origin', '--site', 'https://daybook.example']).site).toBe('https://daybook.example');
  });

  test('is a trial with --dry-run, also where npm took that for itself', () => {
    expect(parse(['--dry-run']).dryRun).toBe(true);
    expect(parse([], { ...ofLegal, npm_config_dry_run: 'true' }).dryRun).toBe(true);
  });

  test.each([[{}], [{ npm_package_name: 'daybook' }]])('without a remote says which there are: %p', (environment) => {
    expect(() => parse([], environment)).toThrow(
      'A release is of one remote: npm run release -w <remote>, with mf-legal, mf-privacy.',
    );
  });

  test.each([[['--force']], [['--to']], [['--to', '']], [['somewhere']], [['--site']], [['--site', 'localhost:8080']]])(
    'refuses %p with what to write',
    (parameters) => {
      expect(() => parse(parameters)).toThrow(/npm run release -w mf-legal -- --dry-run/);
    },
  );

  test.each([
    ['to', 'npm_config_to'],
    ['to', 'npm_config_token_description'],
    ['site', 'npm_config_site'],
  ])('refuses --%s where npm took it for itself, as %s', (option, variable) => {
    expect(() => parse([], { ...ofLegal, [variable]: 'x' })).toThrow(
      `npm took --${option} for itself; write a -- before it`,
    );
  });
});
