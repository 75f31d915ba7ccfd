import { isDeepStrictEqual } from 'node:util';
import type { Release } from '@daybook/contract';
import { OriginFailure, type ReleaseOrigin, ReleaseRefusal, readRelease } from '@daybook/release';
import { ConflictError } from '../log/release-log.ts';
import type { ReleaseManagement } from '../release-management.ts';
import { type OriginReport, type Problem, problemOf, readOriginReport, writeOriginReport } from './origin-report.ts';
import { longestActive, retain } from './retention.ts';

/** A release that has not been stored whole after this many ms is given up, until the next poll. */
const storeTimeout = 120_000;

export interface RemoteMirrorOptions {
  readonly remote: string;
  readonly origin: ReleaseOrigin;
  readonly management: ReleaseManagement;
  /** How many releases are kept, the active one among them. */
  readonly kept: number;
  /** How long, in ms, a release may take to be stored; two minutes by default. */
  readonly storeTimeout?: number;
  /** Called once with each problem. */
  readonly onProblem: (problem: Problem) => void;
}

/** Brings a remote's releases from its origin into the store, and makes them active. */
export class RemoteMirror {
  readonly #options: RemoteMirrorOptions;
  #offered: string | null = null;
  #reported: OriginReport | undefined;

  constructor(options: RemoteMirrorOptions) {
    this.#options = options;
  }

  /**
   * Looks at the origin once, and takes over what it offers. What goes wrong is reported, and leaves the active
   * release as it is.
   *
   * @returns whether all was well
   */
  async look(signal: AbortSignal): Promise<boolean> {
    this.#offered = null;
    try {
      const { origin, remote } = this.#options;
      const text = await origin.describe(signal);
      const release = readRelease(text, remote, origin.address);
      this.#offered = release.version;
      await this.#store(release, text, signal);
      this.#activate(release);
      await this.#prune(release.version);
      this.#report(null);
      return true;
    } catch (error) {
      // An operator or another server on the folder was first; the next poll sees what is left to do.
      if (error instanceof ConflictError) return true;
      if (!signal.aborted) this.#report(problemOf(error));
      return false;
    }
  }

  async #store(release: Release, text: string, signal: AbortSignal): Promise<void> {
    const { origin, remote, management } = this.#options;
    const { store } = management;
    const stored = store.find(remote, release.version);
    if (stored && !isDeepStrictEqual(contentOf(stored.release), contentOf(release))) {
      throw new ReleaseRefusal(
        'version-reused',
        `${release.version} is another release than the one of that name that is kept; raise the version in ${remote}/package.json`,
      );
    }
    if (stored) return;
    management.checkCollisions(release);
    await store.sweep();
    const limit = AbortSignal.timeout(this.#options.storeTimeout ?? storeTimeout);
    const read = origin.readFile.bind(origin);
    try {
      await store.add(release, text, read, AbortSignal.any([signal, limit]));
    } catch (error) {
      if (!limit.aborted) throw error;
      throw new OriginFailure('timeout', 'its files did not all arrive in time', error);
    }
  }

  #activate({ version }: Release): void {
    const { remote, management } = this.#options;
    management.log.refresh();
    const { revision, active, pinned, canary, withdrawn } = management.log.stateOf(remote);
    if (active === version || pinned || canary || withdrawn.has(version)) return;
    management.activate(remote, version, { by: 'mirror', seen: revision });
  }

  /** Removes what is too old to be kept; what the origin offers stays, so that it is not fetched again. */
  async #prune(offered: string): Promise<void> {
    const { remote, management, kept } = this.#options;
    const { store, log } = management;
    const { active, canary, activations, withdrawn } = log.stateOf(remote);
    const releases = store.releasesOf(remote).map(({ release: { version }, storedAt }) => ({
      version,
      usedAt: Math.max(storedAt, Date.parse(activations.get(version) ?? '') || 0),
    }));
    // The one before by its name, too: where that can't be read at the moment, an older one stands in for it.
    const previous = [...activations.keys()].findLast((version) => version !== active && !withdrawn.has(version));
    const standIn = management.previousOf(remote)?.release.version;
    const proven = longestActive(activations);
    await store.prune(remote, retain(releases, [active, canary?.version, offered, previous, standIn, proven], kept));
  }

  /** Reports a problem that is new since the last look, and keeps the report of the origin up to date. */
  #report(problem: Problem | null): void {
    const { remote, origin, management, onProblem } = this.#options;
    const { folder } = management.store;
    const known = readOriginReport(folder, remote);
    const report: OriginReport = {
      address: origin.address,
      offered: this.#offered,
      problem: problem && { ...problem, since: new Date().toISOString() },
    };
    const isKnown = isSameProblem(report, this.#reported);
    this.#reported = report;
    if (problem && !isKnown) onProblem(problem);
    if (isSameProblem(report, known)) return;
    try {
      writeOriginReport(folder, remote, report);
    } catch (error) {
      // It is for people to read, and most likely the problem itself is why it can't be written.
      if (!problem && !isKnown) onProblem(problemOf(error));
    }
  }
}

/** A release without what its version does not cover: one history of git may name another commit for equal sources. */
const contentOf = ({ commit: _, author: __, ...content }: Release) => content;

/** Whether two looks found the same; of one release, another file may be the first to fail each time. */
function isSameProblem(one: OriginReport, other: OriginReport | undefined): boolean {
  if (one.address !== other?.address || one.offered !== other.offered) return false;
  if (one.problem?.reason !== other.problem?.reason) return false;
  return one.offered !== null || one.problem?.message === other.problem?.message;
}
