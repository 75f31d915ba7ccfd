import { createReadStream, readFileSync } from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { type Release, releaseFileName } from '@daybook/contract';
import { OriginFailure, type ReleaseOrigin, ReleaseRefusal, readRelease } from '@daybook/release';
import { previousOf } from '../active-releases.ts';
import { ConflictError, type ReleaseLog } from '../log/release-log.ts';
import type { ReleaseChanges } from '../release-changes.ts';
import type { ReleaseStore } from '../store/release-store.ts';
import { type OriginReport, type Problem, problemOf, readOriginReport, writeOriginReport } from './origin-report.ts';
import { longestActive, retain } from './retention.ts';

export type { Problem };

/** A release that has not been stored whole after this many ms is given up, until the next look. */
const usualStoreLimit = 120_000;

/** How often an activation is tried where another server on the same folder changes the remote at the same moment. */
const activationAttempts = 3;

export interface RemoteMirrorOptions {
  readonly remote: string;
  readonly origin: ReleaseOrigin;
  readonly store: ReleaseStore;
  readonly log: ReleaseLog;
  readonly changes: ReleaseChanges;
  /** How many releases are kept, the active one among them. */
  readonly kept: number;
  /** How long, in ms, a release may take to be stored; two minutes where left out. */
  readonly storeLimit?: number;
  /** Is told each problem once. */
  readonly onProblem: (problem: Problem) => void;
}

/** Brings a remote's releases from its origin into the store, and makes them active. */
export class RemoteMirror {
  readonly #options: RemoteMirrorOptions;
  #offered: string | null = null;
  #told: OriginReport | undefined;
  /** Folders of releases. */
  readonly #checkedAgain = new Set<string>();

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
      // A disk that fails is reported by what follows.
      await this.#checkStored(signal).catch(() => undefined);
      const { origin, remote } = this.#options;
      const text = await origin.describe(signal);
      const release = readRelease(text, remote, origin.address);
      this.#offered = release.version;
      await this.#store(release, text, signal);
      this.#activate(release);
      await this.#prune(release.version);
      this.#tell(null);
      return true;
    } catch (error) {
      // An operator or another server was first; the next look sees what is left to do.
      if (error instanceof ConflictError) return true;
      if (!signal.aborted) this.#tell(problemOf(error));
      return false;
    }
  }

  /**
   * Checks the fragments of releases that a server of an earlier version stored without doing so, from their own files.
   * Once each: pages of one that is refused are rendered in the browser, which is logged.
   */
  async #checkStored(signal: AbortSignal): Promise<void> {
    const { remote, store } = this.#options;
    for (const { release, folder, fragments } of store.releasesOf(remote)) {
      if (fragments || this.#checkedAgain.has(folder)) continue;
      this.#checkedAgain.add(folder);
      const text = readFileSync(path.join(folder, releaseFileName), 'utf8');
      const read = (file: string) => createReadStream(path.join(folder, file));
      await store.add(release, text, read, signal);
    }
  }

  async #store(release: Release, text: string, signal: AbortSignal): Promise<void> {
    const { origin, remote, store, changes } = this.#options;
    const stored = store.find(remote, release.version);
    if (stored && !isDeepStrictEqual(contentOf(stored.release), contentOf(release))) {
      throw new ReleaseRefusal(
        'version-reused',
        `${release.version} is another release than the one of that name that is kept; raise the version in ${remote}/package.json`,
      );
    }
    if (stored?.fragments) return;
    changes.checkCollisions(release);
    await store.sweep();
    const limit = AbortSignal.timeout(this.#options.storeLimit ?? usualStoreLimit);
    const read = origin.readFile.bind(origin);
    try {
      await store.add(release, text, read, AbortSignal.any([signal, limit]));
    } catch (error) {
      if (!limit.aborted) throw error;
      throw new OriginFailure('timeout', 'its files did not all arrive in time', error);
    }
  }

  #activate({ version }: Pick<Release, 'version'>, attempt = 1): void {
    const { remote, log, changes } = this.#options;
    log.refresh();
    const { revision, active, pinned, canary, withdrawn } = log.stateOf(remote);
    const held = pinned || canary !== undefined || withdrawn.has(version);
    if (active === version || held) return;
    try {
      changes.activate(remote, version, { by: 'mirror', seen: revision });
    } catch (error) {
      // Another server on the same folder was first, most likely with the same release.
      if (!(error instanceof ConflictError) || attempt === activationAttempts) throw error;
      this.#activate({ version }, attempt + 1);
    }
  }

  /** Removes what is too old to be kept; what the origin offers stays, so that it is not fetched again. */
  async #prune(offered: string): Promise<void> {
    const { remote, store, log, kept } = this.#options;
    const { active, canary, activations, withdrawn } = log.stateOf(remote);
    const releases = store.releasesOf(remote).map(({ release: { version }, storedAt }) => ({
      version,
      usedAt: Math.max(storedAt, Date.parse(activations.get(version) ?? '') || 0),
    }));
    // The one before by its name, too: where that can't be read at the moment, an older one stands in for it.
    const previous = [...activations.keys()].findLast((version) => version !== active && !withdrawn.has(version));
    const standIn = previousOf(remote, { log, store })?.release.version;
    const proven = longestActive(activations);
    await store.prune(remote, retain(releases, [active, canary?.version, offered, previous, standIn, proven], kept));
  }

  /** Reports a problem that is new since the last look, and keeps the report of the origin up to date. */
  #tell(problem: Problem | null): void {
    const { remote, origin, store, onProblem } = this.#options;
    const known = readOriginReport(store.folder, remote);
    const report: OriginReport = {
      address: origin.address,
      offered: this.#offered,
      problem: problem && { ...problem, since: new Date().toISOString() },
    };
    const told = isSameProblem(report, this.#told);
    this.#told = report;
    if (problem && !told) onProblem(problem);
    if (isSameProblem(report, known)) return;
    try {
      writeOriginReport(store.folder, remote, report);
    } catch (error) {
      // It is for people to read, and most likely the problem itself is why it can't be written.
      if (!problem && !told) onProblem(problemOf(error));
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
