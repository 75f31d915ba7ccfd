import path from 'node:path';
import { urlOfRunning } from '@daybook/runner/postgres';
import { exitCode, startNode } from '@daybook/runner/processes';
import { tokenFileIn } from '@daybook/runner/tokens';
import { root } from '@daybook/runner/workspaces';
import { CommandError } from '@daybook/server/command-line';
import { build } from './build.ts';
import { caller, ownEnvironment } from './environment.ts';
import { auditKey, callingFolder, dataFolder, findLocalSite, localTokens, postgresFolder } from './local-site.ts';

/**
 * Runs a program of the product with its own parameters. Exits with the program's code, also after Ctrl-C: a calling
 * script must know whether the operation was done.
 */
async function run(
  parameters: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  const child = startNode(parameters, { environment, folder: callingFolder, input: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal));
  process.exitCode = await exitCode(child);
}

/** Settings of `operator`, with the name of who runs it. */
const ofOperator = (variables: Readonly<NodeJS.ProcessEnv>) =>
  Object.fromEntries(
    Object.entries(variables).filter(([name]) => /^(?:DATABASE_URL|AUDIT_KEY)(?:_FILE)?$|^OPERATOR$/.test(name)),
  );

/** Returns the address of a running `npm start`'s database; an empty object if a setting names another one. */
async function localDatabase(setting: string): Promise<Readonly<Record<string, string>>> {
  const isNamed = caller[setting] || caller[`${setting}_FILE`];
  const url = isNamed ? undefined : await urlOfRunning(postgresFolder);
  return url ? { [setting]: url } : {};
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
  const database = await localDatabase('DATABASE_URL');
  // Never for the database of another site, whose log could not be searched with the key of this clone.
  const makesKey = 'DATABASE_URL' in database && !caller.AUDIT_KEY && !caller.AUDIT_KEY_FILE;
  await run([path.join(root, 'backend/build/operator/main.js'), ...words], {
    ...ofOperator(caller),
    ...database,
    ...(makesKey && { AUDIT_KEY: auditKey() }),
    OPERATOR_COMMAND: 'npm run operator --',
  });
}
