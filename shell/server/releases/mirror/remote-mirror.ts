import { isDeepStrictEqual } from 'node:util';
import type { Release } from '@daybook/contract';
import { ConflictError, type ReleaseLog } from '../log/release-log.ts';
import { OriginFailure, type ReleaseOrigin } from '../origins/release-origin.ts';
import type { ReleaseChanges } from '../release-changes.ts';
import { readRelease } from '../store/release-gate.ts';
import { ReleaseRefusal } from '../store/release-refusal.ts';
import type { ReleaseStore } from '../store/release-store.ts';
import { type OriginReport, readOriginReport, writeOriginReport } from './origin-report.ts';
import { retain } from './retention.ts';

/** A release that has not been stored whole after this many ms is given up, until the next look. */
const storeLimit = 120_000;

/** Why a release is not taken over, or the origin could not be asked. */
export interface Problem {
  /** The word by which it is counted. */
  readonly reason: string;
  readonly message: string;
}

export interface RemoteMirrorOptions {
  readonly remote: string;
  readonly origin: ReleaseOrigin;
  readonly store: ReleaseStore;
  readonly log: ReleaseLog;
  readonly changes: ReleaseChanges;
  /** How many releases are kept, the active one among them. */
  readonly kept: number;
  /** Is told each problem once. */
  readonly onProblem: (problem: Problem) => void;
}

/** Brings a remote's releases from its origin into the store, and makes them active. */
export class RemoteMirror {
  readonly #options: RemoteMirrorOptions;
  #offered: string | null = null;
  #told: string | undefined;

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
    try {
      const { origin, remote } = this.#options;
      const text = await origin.describe(signal);
      const release = readRelease(text, remote, origin.address);
      this.#offered = release.version;
      await this.#store(release, text, signal);
      this.#activate(release);
      this.#tell(null);
      return true;
    } catch (error) {
      // An operator or another server was first; the next look sees what is left to do.
      if (error instanceof ConflictError) return true;
      if (!signal.aborted) this.#tell(problemOf(error));
      return false;
    }
  }

  async #store(release: Release, text: string, signal: AbortSignal): Promise<void> {
    const { origin, remote, store, changes } = this.#options;
    const stored = store.find(remote, release.version);
    if (stored && !isDeepStrictEqual(stored.release.files, release.files)) {
      throw new ReleaseRefusal(
        'version-reused',
        `${release.version} has other files than the release of that name that is kept; raise the version in ${remote}/package.json`,
      );
    }
    if (stored) return;
    changes.checkCollisions(release);
    store.sweep();
    const limit = AbortSignal.any([signal, AbortSignal.timeout(storeLimit)]);
    await store.add(release, text, (file, stop) => origin.readFile(file, stop), limit);
  }

  #activate({ version }: Release): void {
    const { remote, log, changes } = this.#options;
    log.refresh();
    const { revision, active, pinned, canary, withdrawn } = log.stateOf(remote);
    const held = pinned || canary !== undefined || withdrawn.has(version);
    if (active !== version && !held) changes.activate(remote, version, { by: 'mirror', seen: revision });
    this.#prune(version);
  }

  /** Removes what is too old to be kept; what the origin offers stays, so that it is not fetched again. */
  #prune(offered: string): void {
    const { remote, store, log, changes, kept } = this.#options;
    const { active, canary, activations } = log.stateOf(remote);
    const releases = store.releasesOf(remote).map(({ release: { version }, storedAt }) => ({
      version,
      usedAt: Math.max(storedAt, Date.parse(activations.get(version) ?? '') || 0),
    }));
    const previous = changes.previousOf(remote)?.release.version;
    store.prune(remote, retain(releases, [active, canary?.version, offered, previous], kept));
  }

  /** Logs a problem that is new since the last look, and keeps the report of the origin up to date. */
  #tell(problem: Problem | null): void {
    const { remote, origin, store, onProblem } = this.#options;
    if (problem && problem.message !== this.#told) onProblem(problem);
    this.#told = problem?.message;
    const known = readOriginReport(store.folder, remote);
    const lasting = known?.problem?.message === problem?.message;
    const report: OriginReport = {
      address: origin.address,
      offered: this.#offered,
      problem: problem && { ...problem, since: (lasting && known?.problem?.since) || new Date().toISOString() },
    };
    if (isDeepStrictEqual(report, known)) return;
    try {
      writeOriginReport(store.folder, remote, report);
    } catch (error) {
      // It is for people to read, and most likely the problem itself is why it can't be written.
      if (!problem) onProblem(problemOf(error));
    }
  }
}

function problemOf(error: unknown): Problem {
  if (error instanceof ReleaseRefusal || error instanceof OriginFailure)
    return { reason: error.reason, message: error.message };
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return {
      reason: 'disk-full',
      message: 'the disk of the releases folder is full; make room, the next look goes on',
    };
  return { reason: 'internal', message };
}
