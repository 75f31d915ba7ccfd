import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { releaseFileAddress, shellManifestFileName } from '@daybook/contract';
import { findFreePort } from '@daybook/testing/ports';
import { type Child, hasEnded, startServer, stopChild } from '@daybook/testing/processes';
import { root } from '@daybook/testing/workspaces';
import { buildMissing } from '../build-stale.ts';
import { CommandError } from '../run-command.ts';
import type { Candidate } from './candidate.ts';
import { errorsIn, readableLog } from './server-log.ts';

/** A shell server that does not show the candidate after this many ms will not. */
const startLimit = 30_000;

/** Port 9 is the discard service's; nothing listens there, so that every call of the API fails. */
const noBackend = 'http://127.0.0.1:9';

/**
 * Builds the shell where it never was.
 *
 * @param report gets a line about that
 */
export const prepareShell = (report: (line: string) => void) => buildMissing('shell', shellManifestFileName, report);

/** Collects what a child prints; returns all of it up to now. */
function collectOutput({ nodeChildProcess: { stdout, stderr } }: Child): () => string {
  const chunks: Buffer[] = [];
  for (const stream of [stdout, stderr]) stream?.on('data', (chunk: Buffer) => chunks.push(chunk));
  return () => Buffer.concat(chunks).toString();
}

/**
 * Waits until a shell server shows a release.
 *
 * @param server with its output as a `pipe`
 * @param isShown asks it
 * @throws CommandError with what the server says, as soon as it reports an error or has ended
 */
export async function waitUntilShown(server: Child, isShown: (limit: AbortSignal) => Promise<boolean>): Promise<void> {
  const log = collectOutput(server);
  const limit = AbortSignal.timeout(startLimit);
  while (!limit.aborted) {
    if (hasEnded(server)) {
      const { exitCode, signal } = await server;
      const how = signal ? `was ended by ${signal}` : `ended with code ${exitCode}`;
      throw new CommandError(`${readableLog(log())}\n\nThe shell server ${how} before it showed the release.`.trim());
    }
    if (await isShown(limit)) return;
    const errors = errorsIn(log());
    if (errors.length > 0)
      throw new CommandError(`The shell server does not take the release:\n  ${errors.join('\n  ')}`);
    await delay(50);
  }
  const seconds = startLimit / 1000;
  throw new CommandError(
    `${readableLog(log())}\n\nThe shell server does not show the release within ${seconds} s.`.trim(),
  );
}

/**
 * Starts a shell server for nobody else, whose one remote is the candidate: what would take the release over in
 * production takes it over here.
 *
 * @param started what has to be stopped in the end is put here
 * @returns its address, once it shows the candidate
 * @throws CommandError with what the server says where it does not take the candidate
 */
export async function startPrivateShell(
  started: AsyncDisposableStack,
  { folder, release }: Candidate,
): Promise<string> {
  const port = await findFreePort();
  const releases = mkdtempSync(path.join(tmpdir(), 'daybook-release-'));
  started.defer(() => rmSync(releases, { recursive: true, force: true }));
  const server = startServer(
    [path.join(root, 'shell/server/main.ts')],
    {
      HOST: '127.0.0.1',
      PORT: String(port),
      PUBLIC_URL: '',
      BACKEND_URL: noBackend,
      REMOTES: `${release.name}=file:${folder}`,
      RELEASES_FOLDER: releases,
      DEVELOPMENT: 'false',
    },
    'pipe',
  );
  started.defer(() => stopChild(server));
  const address = `http://127.0.0.1:${port}`;
  const firstPage = address + (release.routes[0]?.path ?? '/');
  const files = releaseFileAddress(release, '');
  await waitUntilShown(server, (signal) =>
    fetch(firstPage, { signal }).then(
      async (answer) => (await answer.text()).includes(files),
      () => false,
    ),
  );
  return address;
}
