import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Release } from '@daybook/contract/release';
import { CommandError } from '@daybook/server';
import { checkCollisions, ReleaseRejection, readRelease } from '../gate/gate.ts';
import { templateProblem } from '../gate/template-texts.ts';
import { openOrigin } from '../origins/open-origin.ts';
import { OriginFailure } from '../origins/origin.ts';
import type { Candidate } from './publish.ts';

/** Timeout of an origin in ms; the comparison skips a remote that exceeds it. */
const originTimeout = 5_000;

/** Reads the release at an origin; if that fails, reports the reason and returns an empty list. */
async function offered(
  [name, origin]: readonly [string, string],
  report: (line: string) => void,
): Promise<readonly Release[]> {
  try {
    return [readRelease(await openOrigin(origin).describe(AbortSignal.timeout(originTimeout)), name, origin)];
  } catch (error) {
    if (!(error instanceof OriginFailure || error instanceof ReleaseRejection)) throw error;
    // A remote that was never released cannot collide.
    if (error.reason !== 'missing') report(`not compared with ${name}, ${origin}: ${error.message}`);
    return [];
  }
}

/**
 * Passes a candidate through the gate of the shell server: rejects early what the server would reject later,
 * including paths of another remote.
 *
 * @param origins those of the site's remotes, by name
 * @param report receives a line about each remote that could not be compared
 * @throws CommandError with the rejected release and the reason
 */
export async function passGate(
  { release, text }: Candidate,
  origins: ReadonlyMap<string, string>,
  report: (line: string) => void,
): Promise<void> {
  const others = [...origins].filter(([name]) => name !== release.name);
  const releases = await Promise.all(others.map((each) => offered(each, report)));
  try {
    readRelease(text, release.name, release.name);
    checkCollisions(release, releases.flat());
  } catch (error) {
    if (!(error instanceof ReleaseRejection)) throw error;
    const advice =
      error.reason === 'collision'
        ? ' Give the page another path, or have the other remote release without it first.'
        : '';
    throw new CommandError(
      `The shell server would reject ${release.name}@${release.version}: ${error.message}.${advice}`,
    );
  }
}

/** @throws CommandError naming the routes that still have texts of the template */
export function checkTexts({ folder, release }: Pick<Candidate, 'folder' | 'release'>): void {
  const problems = release.routes.flatMap(({ path: routePath, description, fragment }) => {
    const texts = [description, fragment ? readFileSync(path.join(folder, fragment), 'utf8') : ''];
    return texts.flatMap((text) => templateProblem(text) ?? []).map((problem) => `${routePath}: ${problem}.`);
  });
  if (problems.length > 0) throw new CommandError(problems.join('\n'));
}
