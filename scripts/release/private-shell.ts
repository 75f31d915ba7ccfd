import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { releaseFileAddress, shellManifestFileName } from '@daybook/contract';
import { buildMissing } from '../build-stale.ts';
import { collectOutput, startServer, stopChild } from '../children.ts';
import { findFreePort } from '../ports.ts';
import { CommandError } from '../run-command.ts';
import { root } from '../workspaces.ts';
import type { Candidate } from './candidate.ts';

/** A shell server that does not show the candidate after this many ms will not. */
const startLimit = 30_000;

/** Port 9 is the discard service's; nothing listens there, so that every call of the API fails. */
const noBackend = 'http://127.0.0.1:9';

/** What a server's log says, without the fields for machines. */
function readableLog(log: string): string {
  const messageOf = (line: string) => {
    try {
      return String((JSON.parse(line) as { msg?: unknown }).msg ?? line);
    } catch {
      return line;
    }
  };
  return log.trim().split('\n').map(messageOf).join('\n');
}

/**
 * Builds the shell where it never was.
 *
 * @param report gets a line about that
 */
export const prepareShell = (report: (line: string) => void) => buildMissing('shell', shellManifestFileName, report);

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
  const log = collectOutput(server);

  const address = `http://127.0.0.1:${port}`;
  const firstPage = address + (release.routes[0]?.path ?? '/');
  const files = releaseFileAddress(release, '');
  const limit = AbortSignal.timeout(startLimit);
  while (!limit.aborted && server.exitCode === null) {
    const page = await fetch(firstPage, { signal: limit }).then(
      (answer) => answer.text(),
      () => '',
    );
    if (page.includes(files)) return address;
    await delay(50);
  }
  throw new CommandError(`${readableLog(log())}\n\nThe shell server does not take the release; it says why above.`);
}
