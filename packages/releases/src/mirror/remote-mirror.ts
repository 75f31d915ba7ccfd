import { isDeepStrictEqual } from 'node:util';
import type { Release } from '@daybook/contract/release';
import type { ReleaseCache } from '../cache/release-cache.ts';
import { ReleaseRejection, readRelease } from '../gate/gate.ts';
import type { ReleaseManagement } from '../management/release-management.ts';
import { OriginFailure, type ReleaseOrigin } from '../origins/origin.ts';
import {
  ConflictError,
  type OriginReport,
  type PollProblem,
  RegistryError,
  type ReleaseRegistry,
} from '../registry/release-registry.ts';
import { checkNotOlder } from '../signature/seen-signatures.ts';
import { type ReleaseSignature, readSigned, signatureRenewal } from '../signature/signature.ts';
import { previousVersions } from '../state/remote-state.ts';
import { pollProblemOf } from './poll-problem.ts';
import { provenRelease, retain } from './retention.ts';

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
  readonly registry: ReleaseRegistry;
  readonly management: ReleaseManagement;
  readonly cache: ReleaseCache;
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

/** Checks the releases that a remote's origin offers, stores them in the registry, and activates them. */
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
      await management.refresh();
      const { text, signature } = trustedKeys
        ? await readSigned(origin, remote, trustedKeys, signal)
        : { text: await origin.describe(signal), signature: undefined };
      const release = readRelease(text, remote, origin.address);
      if (signature) checkNotOlder(management.signatureOf(remote), signature);
      this.#offered = release.version;
      await this.#store(release, text, signature, signal);
      await this.#activate(release, signature);
      await this.#prune(release.version);
      await this.#report(null);
      if (signature) this.#reportExpiring(release, signature);
      return true;
    } catch (error) {
      // An operator or another server was first, or the registry can't be used, which its copy reports. The next poll
      // handles the rest.
      if (error instanceof ConflictError || error instanceof RegistryError) return true;
      // The report is for people only.
      if (!signal.aborted) await this.#report(pollProblemOf(error)).catch(() => undefined);
      return error instanceof ReleaseRejection;
    }
  }

  async #store(
    release: Release,
    text: string,
    signature: ReleaseSignature | undefined,
    signal: AbortSignal,
  ): Promise<void> {
    const { registry, management, cache } = this.#options;
    const { name, version, files } = release;
    if (this.#isStored(release)) return;
    management.checkCollisions(release);
    if (cache.find(name, version)?.description !== text) await this.#fetch(release, text, signal);
    const stored = await registry.store(
      { remote: name, version, description: text, signedAt: signature?.signedAt, files: Object.keys(files) },
      (file) => cache.readFile(name, version, file),
    );
    await management.refresh();
    // Another server was first. Its files may be those of another build of the same version.
    if (!stored && !this.#isStored(release))
      throw new ConflictError(`${name}@${version} was stored and removed again.`);
  }

  /**
   * Returns whether the registry has this release.
   *
   * @throws ReleaseRejection if it has another one of the same version
   */
  #isStored(release: Release): boolean {
    const { remote, management } = this.#options;
    const stored = management.find(remote, release.version);
    if (!stored || isDeepStrictEqual(contentOf(stored.release), contentOf(release))) return stored !== undefined;
    throw new ReleaseRejection(
      'version-reused',
      `${release.version} differs from the stored release of the same version; raise the version in ${remote}/package.json`,
    );
  }

  /** Fetches a release's files into the cache, and checks them. */
  async #fetch(release: Release, text: string, signal: AbortSignal): Promise<void> {
    const { origin, remote, cache } = this.#options;
    const now = performance.now();
    if (this.#rejected?.text === text && now < this.#rejected.until) throw this.#rejected.error;
    await cache.remove(remote, release.version);
    await cache.sweep();
    const limit = AbortSignal.timeout(this.#options.storeTimeout ?? storeTimeout);
    const read = origin.readFile.bind(origin);
    try {
      await cache.add(release, text, read, AbortSignal.any([signal, limit]));
    } catch (error) {
      if (error instanceof ReleaseRejection) {
        const until = now + (this.#options.fetchAgainAfter ?? fetchAgainAfter);
        this.#rejected = { text, until, error };
      }
      if (!limit.aborted) throw error;
      throw new OriginFailure('timeout', 'its files did not all arrive in time', error);
    }
  }

  async #activate({ version }: Release, signature: ReleaseSignature | undefined): Promise<void> {
    const { remote, registry, management } = this.#options;
    const { revision, active, pinned, canary, withdrawn } = management.stateOf(remote);
    // Between reading the revision and appending: if another server activates a newer release meanwhile, one of them fails.
    if (signature && management.signatureOf(remote)?.signedAt !== signature.signedAt)
      checkNotOlder(await registry.acceptSignature(remote, { ...signature, version }), signature);
    if (active === version || pinned || canary || withdrawn.has(version)) return;
    await management.activate(remote, version, { by: 'mirror', seen: revision });
  }

  #reportExpiring({ version }: Release, { signedAt, expiresAt }: ReleaseSignature): void {
    if (expiresAt - Date.now() > signatureRenewal || this.#expiring === signedAt) return;
    this.#expiring = signedAt;
    const date = new Date(expiresAt).toISOString().slice(0, 10);
    this.#options.onExpiring?.(`the signature of ${version} expires on ${date}; release it again before`);
  }

  /** Removes old releases; retains the one that the origin offers, so that it is not fetched again. */
  async #prune(offered: string): Promise<void> {
    const { remote, registry, management, retained } = this.#options;
    const state = management.stateOf(remote);
    const { revision, active, canary, activations } = state;
    const releases = management.releasesOf(remote).map(({ release: { version }, storedAt }) => ({
      version,
      usedAt: Math.max(storedAt, Date.parse(activations.get(version) ?? '') || 0),
    }));
    const [previous] = previousVersions(state);
    // While this shell can't serve the previous release, an older one is the fallback.
    const fallback = management.previousOf(remote)?.release.version;
    const needed = [active, canary?.version, offered, previous, fallback, provenRelease(activations)];
    const wanted = retain(releases, needed, retained);
    const old = releases.map(({ version }) => version).filter((version) => !wanted.has(version));
    if (old.length === 0) return;
    await registry.remove(remote, old, revision);
    await management.refresh();
  }

  /** Reports a problem that is new since the last poll, and updates the report of the origin. */
  async #report(problem: PollProblem | null): Promise<void> {
    const { remote, origin, registry, management, onProblem } = this.#options;
    const report: OriginReport = {
      address: origin.address,
      offered: this.#offered,
      problem: problem && { ...problem, since: new Date().toISOString() },
    };
    const isKnown = isSameProblem(report, this.#reported);
    this.#reported = report;
    if (problem && !isKnown) onProblem(problem);
    if (isSameProblem(report, management.originOf(remote))) return;
    await registry.reportOrigin(remote, report);
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
