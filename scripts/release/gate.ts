import path from 'node:path';
import type { Release } from '@daybook/contract';
import { checkCollisions, OriginFailure, openOrigin, ReleaseRefusal, readRelease } from '@daybook/release';
import { remoteOrigins, root } from '@daybook/testing/workspaces';
import { EnvironmentError, parseRemotes, type RemoteOrigin } from '../../shell/server/environment.ts';
import { CommandError } from '../run-command.ts';
import type { Candidate } from './candidate.ts';

/** An origin that does not answer within this many ms is left out. */
const patience = 5_000;

/** A folder is named from the repository's root, as for the shell server; npm runs scripts of a remote in its folder. */
const fromRoot = (origin: string) =>
  origin.startsWith('file:') ? `file:${path.resolve(root, origin.slice('file:'.length))}` : origin;

/** The origins of all other remotes: those of `REMOTES`, or every `mf-*` folder's `dist`. */
function otherOrigins(remote: string): readonly RemoteOrigin[] {
  try {
    return parseRemotes(process.env.REMOTES || remoteOrigins()).filter(({ name }) => name !== remote);
  } catch (error) {
    throw error instanceof EnvironmentError ? new CommandError(error.message) : error;
  }
}

/** What an origin offers; nothing, and a line about why, where that can't be had. */
async function offered({ name, origin }: RemoteOrigin, report: (line: string) => void): Promise<readonly Release[]> {
  try {
    return [readRelease(await openOrigin(fromRoot(origin)).describe(AbortSignal.timeout(patience)), name, origin)];
  } catch (error) {
    if (!(error instanceof OriginFailure || error instanceof ReleaseRefusal)) throw error;
    // A remote that was never built is nobody's problem here.
    if (error.reason !== 'missing') report(`    not compared with ${name}, ${origin}: ${error.message}`);
    return [];
  }
}

/**
 * Passes a candidate through the gate of the shell server: what it would refuse later is refused now, its paths that
 * another remote has included.
 *
 * @param report gets a line about each remote that the candidate could not be compared with
 * @throws CommandError saying what is refused, and why
 */
export async function passGate({ release, text }: Candidate, report: (line: string) => void): Promise<void> {
  const others = await Promise.all(otherOrigins(release.name).map((origin) => offered(origin, report)));
  try {
    readRelease(text, release.name, release.name);
    checkCollisions(release, others.flat());
  } catch (error) {
    if (!(error instanceof ReleaseRefusal)) throw error;
    const advice =
      error.reason === 'collision'
        ? ' Give the page another path, or have the other remote release without it first.'
        : '';
    throw new CommandError(
      `The shell server would refuse ${release.name}@${release.version}: ${error.message}.${advice}`,
    );
  }
}
