import { expect, test } from '../support/test.ts';
import * as stack from './stack.ts';

/** Address of a database that does not exist, with a valid password. */
const nowhere = 'postgres://daybook:9f1c5ab07de6348bf25c@nowhere/daybook';

for (const [service, settings, line] of [
  ['backend', ['COOKIE_SECRET_FILE='], 'COOKIE_SECRET: is required'],
  [
    'backend',
    ['COOKIE_SECRET_FILE=', `COOKIE_SECRET=change-me-${'a'.repeat(40)}`],
    'COOKIE_SECRET: contains a word of examples',
  ],
  ['backend', ['PUBLIC_URL=daybook'], 'PUBLIC_URL: must be the address of the site'],
  [
    'backend',
    ['DATABASE_URL_FILE=', 'DATABASE_URL=postgres://a:b@nowhere/c'],
    'DATABASE_URL: a secret in it has fewer than 12',
  ],
  ['backend', ['DATABASE_URL_FILE=', `DATABASE_URL=${nowhere}`], 'DATABASE_URL cannot be reached'],
  ['migrate', ['DATABASE_URL_FILE=', `DATABASE_URL=${nowhere}`], 'DATABASE_URL cannot be reached'],
  ['shell', ['OPERATOR_TOKEN_FILE='], 'OPERATOR_TOKEN: is required in production'],
  ['shell', ['TRUSTED_KEYS_FILE='], 'TRUSTED_KEYS: is required in production'],
  ['shell', ['TRUSTED_KEYS_FILE=', 'TRUSTED_KEYS=mf-legal:none'], 'TRUSTED_KEYS: does not name mf-offers, mf-privacy'],
  ['shell', ['REMOTES=mf-legal=mf-legal:8080'], 'REMOTES: has “mf-legal=mf-legal:8080” in it'],
  ['postgres', ['BACKUP_SYNCHRONOUS=always'], 'BACKUP_SYNCHRONOUS: must be on or off'],
  ['backup', ['BACKUP_TIME=25:00'], 'BACKUP_TIME: must be a time such as 03:00'],
  ['secrets', ['SECRETS_FOLDER=/etc/daybook'], 'SECRETS_FOLDER: cookie-secret is missing or empty in /etc/daybook'],
] as const) {
  test(`${service} does not start with ${settings.join(' ')} and logs the reason`, async () => {
    const variables = settings.flatMap((setting) => ['--env', setting]);
    await expect(stack.compose('run', '--rm', '--no-deps', '-T', ...variables, service)).rejects.toThrow(line);
  });
}
