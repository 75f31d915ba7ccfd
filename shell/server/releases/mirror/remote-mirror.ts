import { isDeepStrictEqual } from 'node:util';
import type { Release } from '@daybook/contract/release';
import {
  OriginFailure,
  type ReleaseOrigin,
  ReleaseRejection,
  type ReleaseSignature,
  readRelease,
  readSigned,
  signatureRenewal,
} from '@daybook/release';
import { ConflictError } from '../log/release-log.ts';
import type { ReleaseManagement } from '../release-management.ts';
import {
  type OriginReport,
  type PollProblem,
  pollProblemOf,
  readOriginReport,
  writeOriginReport,
} from './origin-report.ts';
import { provenRelease, retain } from './retention.ts';
import { checkNotOlder, rememberSignature } from './seen-signatures.ts';

/** Timeout of storing a release, in ms; the next poll retries. */
const storeTimeout = 120_000;

/**
 * In ms. An origin may replace a damaged file under the same release.json, but fetching and checking a rejected release
 * at every poll would cost as much as a release each time.
 */
const fetchAgainAfter = 30_000;

export interface RemoteMirrorOptions {
  readonly remote: string;
  readonly origin: ReleaseOrigin;
  readonly management: ReleaseManagement;
  /** Number of releases to retain, including the active one. */
  readonly retained: number;
  /** Timeout of storing a release, in ms; two minutes by default. */
  readonly storeTimeout?: number;
  /** Public keys of the remote's team; without them, releases need no signature. */
  readonly trustedKeys?: readonly string[] | undefined;
  /** Time until the files of a rejected release are fetched again, in ms; half a minute by default. */
  readonly fetchAgainAfter?: number;
  /** Called once with each problem. */
  readonly onProblem: (problem: PollProblem) => void;
  /** Called once for each signature that expires within a month. */
  readonly onExpiring?: (message: string) => void;
}

/** Stores a remote's releases from its origin, and activates them. */
export class RemoteMirror {
  readonly #options: RemoteMirrorOptions;
  #offered: string | null = null;
  #reported: OriginReport | undefined;
  /** Time of the last signature that was reported to expire. */
  #expiring = 0;
  /** The last release whose files were rejected. */
  #rejected: { readonly text: string; readonly until: number; readonly error: ReleaseRejection } | undefined;

  constructor(options: RemoteMirrorOptions) {
    this.#options = options;
  }

  /**
   * Polls the origin once, and stores and activates the release that it offers. Reports failures, which leave the active
   * release unchanged.
   *
   * @returns whether the origin delivered; a rejected release must not delay the poll that finds the next one
   */
  async poll(signal: AbortSignal): Promise<boolean> {
    this.#offered = null;
    try {
      const { origin, remote, management, trustedKeys } = this.#options;
      const { text, signature } = trustedKeys
        ? await readSigned(origin, remote, trustedKeys, signal)
        : { text: await origin.describe(signal), signature: undefined };
      const release = readRelease(text, remote, origin.address);
      if (signature) checkNotOlder(management.store.folder, remote, signature);
      this.#offered = release.version;
      await this.#store(release, text, signal);
      this.#activate(release, signature);
      await this.#prune(release.version);
      this.#report(null);
      if (signature) this.#reportExpiring(release, signature);
      return true;
    } catch (error) {
      // An operator or another server on the folder was first; the next poll handles the rest.
      if (error instanceof ConflictError) return true;
      if (!signal.aborted) this.#report(pollProblemOf(error));
      return error instanceof ReleaseRejection;
    }
  }

  async #store(release: Release, text: string, signal: AbortSignal): Promise<void> {
    const { origin, remote, management } = this.#options;
    const { store } = management;
    const stored = store.find(remote, release.version);
    if (stored && !isDeepStrictEqual(contentOf(stored.release), contentOf(release))) {
      throw new ReleaseRejection(
        'version-reused',
        `${release.version} differs from the stored release of the same version; raise the version in ${remote}/package.json`,
      );
    }
    if (stored) return;
    management.checkCollisions(release);
    const now = performance.now();
    if (this.#rejected?.text === text && now < this.#rejected.until) throw this.#rejected.error;
    await store.sweep();
    const limit = AbortSignal.timeout(this.#options.storeTimeout ?? storeTimeout);
    const read = origin.readFile.bind(origin);
    try {
      await store.add(release, text, read, AbortSignal.any([signal, limit]));
    } catch (error) {
      if (error instanceof ReleaseRejection) {
        const until = now + (this.#options.fetchAgainAfter ?? fetchAgainAfter);
        this.#rejected = { text, until, error };
      }
      if (!limit.aborted) throw error;
      throw new OriginFailure('timeout', 'its files did not all arrive in time', error);
    }
  }

  #activate({ version }: Release, signature: ReleaseSignature | undefined): void {
    const { remote, management } = this.#options;
    management.log.refresh();
    const { revision, active, pinned, canary, withdrawn } = management.log.stateOf(remote);
    // Between reading the revision and appending: if another server activates a newer release meanwhile, one of them fails.
    if (signature) rememberSignature(management.store.folder, remote, { ...signature, version });
    if (active === version || pinned || canary || withdrawn.has(version)) return;
    management.activate(remote, version, { by: 'mirror', seen: revision });
  }

  #reportExpiring({ version }: Release, { signedAt, expiresAt }: ReleaseSignature): void {
    if (expiresAt - Date.now() > signatureRenewal || this.#expiring === signedAt) return;
    this.#expiring = signedAt;
    const date = new Date(expiresAt).toISOString().slice(0, 10);
    this.#options.onExpiring?.(`the signature of ${version} expires on ${date}; release it again before`);
  }

  /** Removes old releases; retains the one that the origin offers, so that it is not fetched again. */
  async #prune(offered: string): Promise<void> {
    const { remote, management, retained } = this.#options;
    const { store, log } = management;
    const { active, canary, activations, withdrawn } = log.stateOf(remote);
    const releases = store.releasesOf(remote).map(({ release: { version }, storedAt }) => ({
      version,
      usedAt: Math.max(storedAt, Date.parse(activations.get(version) ?? '') || 0),
    }));
    // The previous release by its name too: while it can't be read, an older release is the fallback.
    const previous = [...activations.keys()].findLast((version) => version !== active && !withdrawn.has(version));
    const fallback = management.previousOf(remote)?.release.version;
    const proven = provenRelease(activations);
    await store.prune(
      remote,
      retain(releases, [active, canary?.version, offered, previous, fallback, proven], retained),
    );
  }

  /** Reports a problem that is new since the last poll, and updates the report of the origin. */
  #report(problem: PollProblem | null): void {
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
      // Not essential: the report is for people only, and most likely the same problem prevents writing it.
      if (!problem && !isKnown) onProblem(pollProblemOf(error));
    }
  }
}

/** Returns a release without the fields that its version does not cover: equal releases may come from different commits. */
const contentOf = ({ commit: _, author: __, designSystem: ___, ...content }: Release) => content;

/** Compares two polls; ignores the message for the same release, since a different file may fail first each time. */
function isSameProblem(one: OriginReport, other: OriginReport | undefined): boolean {
  if (one.address !== other?.address || one.offered !== other.offered) return false;
  if (one.problem?.reason !== other.problem?.reason) return false;
  return one.offered !== null || one.problem?.message === other.problem?.message;
}
