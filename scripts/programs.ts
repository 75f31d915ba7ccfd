import path from 'node:path';
import { CommandError } from '@daybook/server/command-line';
import { urlOfRunning } from '@daybook/testing/postgres';
import { exitCode, startNode } from '@daybook/testing/processes';
import { tokenFileIn } from '@daybook/testing/tokens';
import { root } from '@daybook/testing/workspaces';
import { build } from './build.ts';
import { caller, ownEnvironment } from './environment.ts';
import { auditKey, callingFolder, dataFolder, findLocalSite, localTokens, postgresFolder } from './local-site.ts';

/** Runs a program of the product; exits with its code, also after Ctrl-C. */
async function run(
  parameters: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  const child = startNode(parameters, { environment, folder: callingFolder, input: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal));
  process.exitCode = await exitCode(child);
}

/** `npm run releases -- …`: the releases of a running `npm start` with its operator's token, or of another site. */
export async function releases(words: readonly string[]): Promise<void> {
  const isNamed = caller.SITE_URL || words.some((word) => /^--site(?:=|$)/.test(word));
  const site = isNamed ? undefined : findLocalSite();
  const { RELEASES_TOKEN, RELEASES_TOKEN_FILE, SITE_URL } = caller;
  const hasToken = RELEASES_TOKEN || RELEASES_TOKEN_FILE || words.some((word) => word.startsWith('--token-file'));
  if (!isNamed && !site && !hasToken && words.length > 0 && !words.includes('--help'))
    throw new CommandError('No site runs here. Start it: npm start. Or name one: --site https://daybook.example');
  // Never sent to another site.
  const isLocal = site && !RELEASES_TOKEN && !RELEASES_TOKEN_FILE;
  if (isLocal) localTokens();
  await run([path.join(root, 'packages/releases/src/releases.ts'), ...words], {
    ...ownEnvironment(caller),
    SITE_URL: site?.url ?? SITE_URL,
    RELEASES_TOKEN,
    RELEASES_TOKEN_FILE: isLocal ? tokenFileIn(dataFolder) : RELEASES_TOKEN_FILE,
    RELEASES_COMMAND: 'npm run releases --',
  });
}

/** `npm run operator -- …`: operates on the database of `DATABASE_URL`, or that of a running `npm start`. */
export async function operator(words: readonly string[]): Promise<void> {
  // Standard output is reserved for the command: it may be an export.
  await build(console.error, ['backend']);
  const { DATABASE_URL, DATABASE_URL_FILE, AUDIT_KEY, AUDIT_KEY_FILE, OPERATOR } = caller;
  const local = DATABASE_URL || DATABASE_URL_FILE ? undefined : urlOfRunning(postgresFolder);
  await run([path.join(root, 'backend/build/operator/main.js'), ...words], {
    DATABASE_URL: local ?? DATABASE_URL,
    DATABASE_URL_FILE,
    // The key of this clone is not that of another site.
    AUDIT_KEY: local && !AUDIT_KEY_FILE ? AUDIT_KEY || auditKey() : AUDIT_KEY,
    AUDIT_KEY_FILE,
    OPERATOR,
    OPERATOR_COMMAND: 'npm run operator --',
  });
}
