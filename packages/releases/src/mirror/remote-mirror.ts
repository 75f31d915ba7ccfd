import type { Release } from '@daybook/contract/release';
import { ReleaseRejection, readRelease } from '../gate/gate.ts';
import { OriginFailure, previewFileName, signedFileName } from '../origins/origin.ts';
import { ConflictError, type OriginReport, type PollProblem, RegistryError } from '../registry/release-registry.ts';
import {
  checkNotOlder,
  dateOf,
  type ReleaseSignature,
  signatureRenewal,
  verifySigned,
} from '../signature/signature.ts';
import { previousVersions, runningPreview } from '../state/remote-state.ts';
import { pollProblemOf } from './poll-problem.ts';
import { type MirrorOptions, ReleaseIntake } from './release-intake.ts';
import { provenRelease, retain } from './retention.ts';

type ReleaseReport = Omit<OriginReport, 'previewProblem'>;

/**
 * Checks the releases and previews that a remote's origin offers, and stores them in the registry; activates the releases,
 * and shows the previews to visitors with their links.
 */
export class RemoteMirror {
  readonly #options: MirrorOptions;
  readonly #releases: ReleaseIntake;
  readonly #previews: ReleaseIntake;
  #offered: string | null = null;
  #reported: ReleaseReport | undefined;
  #reportedPreview: PollProblem | null = null;
  /** Time of the last signature that was reported to expire. */
  #expiring = 0;

  constructor(options: MirrorOptions) {
    this.#options = options;
    this.#releases = new ReleaseIntake(options);
    this.#previews = new ReleaseIntake(options);
  }

  /**
   * Polls the origin once, and stores and activates the release that it offers. Reports failures, which leave the active
   * release unchanged.
   *
   * @returns whether the origin delivered; a rejected release must not delay the poll that finds the next one
   */
  poll(signal: AbortSignal): Promise<boolean> {
    this.#offered = null;
    return this.#attempt(
      signal,
      (problem) => this.#report(problem),
      async () => {
        const { copy, origin, remote } = this.#options;
        await copy.refresh();
        const { text, signature } = await this.#readRelease(signal);
        const release = readRelease(text, remote, origin.address);
        if (signature) checkNotOlder(copy.signatureOf(remote), signature);
        this.#offered = release.version;
        await this.#releases.store(release, text, signature?.signedAt, signal);
        await this.#activate(release, signature);
        await this.#prune(release.version);
        if (signature) this.#reportExpiring(release, signature);
      },
    );
  }

  /**
   * Polls the origin once for a preview beside its release; apart from `poll`, so that a preview never delays a release.
   * Reports failures, which leave the last preview unchanged.
   *
   * @returns whether the origin responded; most of the time it offers no preview
   */
  pollPreview(signal: AbortSignal): Promise<boolean> {
    return this.#attempt(
      signal,
      (problem) => this.#reportPreview(problem),
      async () => {
        const { copy, origin, remote, trustedKeys, management } = this.#options;
        const signed = await this.#readPreview(signal);
        if (signed === undefined) return;
        const { text, signature, tokenHash = '' } = await verifySigned('preview', signed, remote, trustedKeys);
        const { signedAt, expiresAt } = signature;
        if (!this.#isNewPreview(tokenHash, expiresAt)) return;
        const { number, active } = copy.stateOf(remote);
        const release = readRelease(text, remote, origin.address);
        // It is out already.
        if (release.version === active) return;
        await this.#previews.store(release, text, signedAt, signal);
        const link = { tokenHash, endsAt: new Date(expiresAt).toISOString() };
        const reason = { by: 'mirror', why: 'new preview at its origin', seen: number };
        await management.offer(remote, release.version, link, reason);
      },
    );
  }

  /** Does what a poll does; reports its problem, or that there is none. */
  async #attempt(
    signal: AbortSignal,
    report: (problem: PollProblem | null) => Promise<void>,
    act: () => Promise<void>,
  ): Promise<boolean> {
    try {
      await act();
      // For people only: a registry that can be read and not written must not fail a poll that has nothing to write.
      await report(null).catch((error: unknown) => {
        if (!(error instanceof RegistryError)) throw error;
      });
      return true;
    } catch (error) {
      // An operator or another server was first; the next poll handles the rest.
      if (error instanceof ConflictError || (await this.#isReportedByCopy(error))) return true;
      if (!signal.aborted) await report(pollProblemOf(error)).catch(() => undefined);
      return error instanceof ReleaseRejection;
    }
  }

  /** Returns whether the copy reports an error: that of a registry that can't be read. It may be readable and not writable. */
  async #isReportedByCopy(error: unknown): Promise<boolean> {
    if (!(error instanceof RegistryError)) return false;
    const { copy } = this.#options;
    await copy.refresh().catch(() => undefined);
    return copy.problem !== undefined;
  }

  /** Reads the signed description of a preview; `undefined` if the origin has none. */
  async #readPreview(signal: AbortSignal): Promise<string | undefined> {
    try {
      return await this.#options.origin.describe(signal, previewFileName);
    } catch (error) {
      if (error instanceof OriginFailure && error.reason === 'missing') return undefined;
      throw error;
    }
  }

  /**
   * Reads the description of the release, and verifies it if the remote has trusted keys.
   *
   * @throws OriginFailure if it can't be read, ReleaseRejection if it is not signed or not valid
   */
  async #readRelease(signal: AbortSignal): Promise<{ readonly text: string; readonly signature?: ReleaseSignature }> {
    const { origin, remote, trustedKeys } = this.#options;
    if (!trustedKeys) return { text: await origin.describe(signal) };
    try {
      return await verifySigned('release', await origin.describe(signal, signedFileName), remote, trustedKeys);
    } catch (error) {
      if (!(error instanceof OriginFailure) || error.reason !== 'missing') throw error;
      const unsigned = await origin.describe(signal).catch(() => undefined);
      if (unsigned === undefined) throw error;
      throw new ReleaseRejection('signature', 'it is not signed; npm run release signs it and writes release.jws');
    }
  }

  async #activate({ version }: Release, signature: ReleaseSignature | undefined): Promise<void> {
    const { remote, registry, copy, management } = this.#options;
    const { number, isHeld } = copy.stateOf(remote);
    // Between reading the number and appending: if another server activates a newer release meanwhile, one of them fails.
    if (signature && copy.signatureOf(remote)?.signedAt !== signature.signedAt)
      checkNotOlder(await registry.acceptSignature(remote, { ...signature, version }), signature);
    // Only once: what people decided later about a release outlasts its origin, which goes on offering it.
    if (isHeld || copy.wasDeployed(remote, version)) return;
    await management.activate(remote, version, { by: 'mirror', why: 'new release at its origin', seen: number });
  }

  #reportExpiring({ version }: Release, { signedAt, expiresAt }: ReleaseSignature): void {
    if (expiresAt - Date.now() > signatureRenewal || this.#expiring === signedAt) return;
    this.#expiring = signedAt;
    this.#options.onExpiring(`the signature of ${version} expires on ${dateOf(expiresAt)}; release it again before`);
  }

  /**
   * Returns whether a preview has neither begun nor ended yet.
   *
   * @param expiresAt in ms since the epoch
   * @throws ReleaseRejection for an earlier one: an origin may offer one of the past with its valid signature
   */
  #isNewPreview(tokenHash: string, expiresAt: number): boolean {
    const { remote, copy } = this.#options;
    const last = copy
      .deployments(remote)
      .findLast(({ action, audience }) => action === 'offer' && audience === 'preview');
    if (expiresAt <= Date.now() || last?.tokenHash === tokenHash) return false;
    if (!last || expiresAt > Date.parse(last.endsAt ?? '')) return true;
    throw new ReleaseRejection(
      'signature',
      `its preview ends on ${new Date(expiresAt).toISOString()}, not after the last one, of ${last.version}; make the preview again`,
    );
  }

  /**
   * Removes old releases, also those that this shell can't serve: no other one may ever do it. Retains the one that the
   * origin offers, so that it is not fetched again.
   */
  async #prune(offered: string): Promise<void> {
    const { remote, registry, copy, retained } = this.#options;
    const state = copy.stateOf(remote);
    const { number, active, canary, activations } = state;
    const releases = copy.listed(remote).map(({ version, storedAt }) => ({
      version,
      usedAt: Math.max(storedAt, Date.parse(activations.get(version) ?? '') || 0),
    }));
    const [previous] = previousVersions(state);
    // While this shell can't serve the previous release, an older one is the fallback.
    const fallback = copy.previousOf(remote)?.release.version;
    const previewed = runningPreview(state)?.version;
    const needed = [active, canary?.version, previewed, offered, previous, fallback, provenRelease(activations)];
    const wanted = retain(releases, needed, retained);
    const old = releases.map(({ version }) => version).filter((version) => !wanted.has(version));
    if (old.length === 0) return;
    await registry.remove(remote, old, number);
    await copy.refresh();
  }

  /** Reports a problem that is new since the last poll, and updates the report of the origin. */
  async #report(problem: PollProblem | null): Promise<void> {
    const { remote, origin, registry, copy, onProblem } = this.#options;
    const report: ReleaseReport = { address: origin.address, offered: this.#offered, problem };
    const isKnown = isSameReport(report, this.#reported);
    this.#reported = report;
    if (problem && !isKnown) onProblem(problem);
    if (isSameReport(report, copy.originOf(remote))) return;
    await registry.reportOrigin(remote, report);
  }

  /** Does the same for a preview. */
  async #reportPreview(problem: PollProblem | null): Promise<void> {
    const { remote, origin, registry, copy, onProblem } = this.#options;
    const isKnown = isSameProblem(problem, this.#reportedPreview);
    this.#reportedPreview = problem;
    if (problem && !isKnown) onProblem(problem);
    if (isSameProblem(problem, copy.originOf(remote)?.previewProblem ?? null)) return;
    await registry.reportPreview(remote, origin.address, problem);
  }
}

const isSameProblem = (one: PollProblem | null, other: PollProblem | null): boolean =>
  one?.reason === other?.reason && one?.message === other?.message;

/** Compares two polls; ignores the message for the same release, since a different file may fail first each time. */
function isSameReport(one: ReleaseReport, other: ReleaseReport | undefined): boolean {
  if (one.address !== other?.address || one.offered !== other.offered) return false;
  if (one.offered !== null) return one.problem?.reason === other.problem?.reason;
  return isSameProblem(one.problem, other.problem);
}
