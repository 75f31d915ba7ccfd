import { describe, expect, test } from '@jest/globals';
import { parseReleaseOptions } from './release-options.ts';

const remotes = ['mf-legal', 'mf-privacy'];
const ofLegal = { npm_package_name: 'mf-legal', INIT_CWD: '/home/team' };
const parse = (parameters: readonly string[], environment: Readonly<Record<string, string>> = ofLegal) =>
  parseReleaseOptions(parameters, environment, remotes);

describe('npm run release', () => {
  test('is of the remote whose script it is', () => {
    expect(parse([])).toEqual({ remote: 'mf-legal', dryRun: false });
  });

  test('publishes to a folder from where it was called', () => {
    expect(parse(['--to', '../origin']).to).toBe('/home/origin');
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

  test.each([[['--force']], [['--to']], [['--to', '']], [['somewhere']]])(
    'refuses %p with what to write',
    (parameters) => {
      expect(() => parse(parameters)).toThrow(/npm run release -w mf-legal -- --dry-run/);
    },
  );

  test('refuses a folder that npm took for itself', () => {
    expect(() => parse([], { ...ofLegal, npm_config_to: 'x' })).toThrow(
      /npm took --to for itself; write a -- before it/,
    );
  });
});
