import { expect, test } from '../support/test.ts';
import * as stack from './stack.ts';

/** Address of a database that does not exist, with a valid password. */
const nowhere = 'postgres://daybook:9f1c5ab07de6348bf25c@nowhere/daybook';

for (const [service, settings, line] of [
  ['backend', ['COOKIE_SECRET_FILE='], 'COOKIE_SECRET: is required'],
  ['backend', ['DATABASE_URL_FILE=', `DATABASE_URL=${nowhere}`], 'DATABASE_URL cannot be reached'],
  ['migrate', ['DATABASE_URL_FILE=', `DATABASE_URL=${nowhere}`], 'DATABASE_URL cannot be reached'],
  ['shell', ['OPERATOR_TOKEN_FILE='], 'OPERATOR_TOKEN: is required in production'],
  ['postgres', ['BACKUP_SYNCHRONOUS=always'], 'BACKUP_SYNCHRONOUS: must be on or off'],
  ['backup', ['BACKUP_TIME=25:00'], 'BACKUP_TIME: must be a time such as 03:00'],
  ['secrets', ['SECRETS_FOLDER=/etc/daybook'], 'SECRETS_FOLDER: cookie-secret is missing or empty in /etc/daybook'],
] as const) {
  test(`${service} does not start with ${settings.join(' ')} and logs the reason`, async () => {
    const variables = settings.flatMap((setting) => ['--env', setting]);
    await expect(stack.compose('run', '--rm', '--no-deps', '-T', ...variables, service)).rejects.toThrow(line);
  });
}
