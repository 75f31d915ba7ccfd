import { describe, expect, test } from '@jest/globals';
import { databaseEnvironmentSchema, environmentSchema, readEnvironment } from './environment.ts';

const variables = (overrides: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv => ({
  DATABASE_URL: 'postgres://reader:secret@localhost:5432/daybook',
  COOKIE_SECRET: 'x'.repeat(32),
  ...overrides,
});

const problemsOf = (overrides: NodeJS.ProcessEnv) => () => readEnvironment(environmentSchema, variables(overrides));

describe('the environment', () => {
  test('needs only database and secret, and has defaults for the rest', () => {
    expect(readEnvironment(environmentSchema, variables())).toEqual({
      DATABASE_URL: 'postgres://reader:secret@localhost:5432/daybook',
      COOKIE_SECRET: ['x'.repeat(32)],
      PORT: 3000,
      HOST: '127.0.0.1',
      TRUSTED_PROXIES: 1,
      DATABASE_POOL_SIZE: 10,
      LOG_LEVEL: 'info',
      DRAIN_SECONDS: 3,
    });
  });

  test('takes several secrets, the first of which signs', () => {
    const secrets = ['a'.repeat(32), 'b'.repeat(40)];
    const { COOKIE_SECRET } = readEnvironment(environmentSchema, variables({ COOKIE_SECRET: secrets.join(', ') }));
    expect(COOKIE_SECRET).toEqual(secrets);
  });

  test('names every bad variable in one message', () => {
    const bad = { DATABASE_URL: undefined, COOKIE_SECRET: undefined, PORT: '70000', TRUSTED_PROXIES: 'true' };
    expect(problemsOf(bad)).toThrow(
      'The environment cannot be used: DATABASE_URL is required, PORT must be a whole number from 0 to 65535, ' +
        'COOKIE_SECRET is required, and TRUSTED_PROXIES must be a whole number from 0 to 10.',
    );
  });

  test.each([
    ['DATABASE_URL', 'mysql://localhost/x'],
    ['DATABASE_URL', 'localhost:5432'],
    ['DATABASE_URL', ''],
    ['COOKIE_SECRET', 'short'],
    ['COOKIE_SECRET', `${'x'.repeat(32)},short`],
    ['PORT', '80a'],
    ['PORT', ''],
    ['HOST', ''],
    ['TRUSTED_PROXIES', '-1'],
    ['DATABASE_POOL_SIZE', '0'],
    ['OPERATOR_TOKEN', 'short'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318'],
    ['LOG_LEVEL', 'loud'],
    ['DRAIN_SECONDS', '-1'],
  ])('refuses %s=%s', (name, value) => {
    expect(problemsOf({ [name]: value })).toThrow(name);
  });

  test('never repeats a value, for it may be secret', () => {
    expect(problemsOf({ COOKIE_SECRET: 'hunter2' })).not.toThrow('hunter2');
  });

  test('asks a migrator for the database alone', () => {
    const { DATABASE_URL } = variables();
    expect(readEnvironment(databaseEnvironmentSchema, { DATABASE_URL })).toEqual({ DATABASE_URL });
  });
});
