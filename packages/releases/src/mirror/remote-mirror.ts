import type { Release } from '@daybook/contract/release';
import { ReleaseRejection, readRelease } from '../gate/gate.ts';
import { ConflictError, type OriginReport, type PollProblem } from '../registry/release-registry.ts';
import { checkNotOlder } from '../signature/newest-signature.ts';
import { dateOf, type ReleaseSignature, readSigned, signatureRenewal } from '../signature/signature.ts';
import { needsOperator, previousVersions, runningPreview } from '../state/remote-state.ts';
import { isReportedByCopy, pollProblemOf } from './poll-problem.ts';
import { type MirrorOptions, ReleaseIntake } from './release-intake.ts';
import { provenRelease, retain } from './retention.ts';

type ReleaseReport = Omit<OriginReport, 'previewProblem'>;

/** Checks the releases that a remote's origin offers, stores them in the registry, and activates them. */
export class RemoteMirror {
  readonly #options: MirrorOptions;
  #offered: string | null = null;
  #reported: ReleaseReport | undefined;
  /** Time of the last signature that was reported to expire. */
  #expiring = 0;
  readonly #intake: ReleaseIntake;

  constructor(options: MirrorOptions) {
    this.#options = options;
    this.#intake = new ReleaseIntake(options);
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
      const { origin, remote, copy, trustedKeys } = this.#options;
      await copy.refresh();
      const { text, signature } = trustedKeys
        ? await readSigned(origin, remote, trustedKeys, signal)
        : { text: await origin.describe(signal), signature: undefined };
      const release = readRelease(text, remote, origin.address);
      if (signature) checkNotOlder(copy.signatureOf(remote), signature);
      this.#offered = release.version;
      await this.#intake.store(release, text, signature?.signedAt, signal);
      await this.#activate(release, signature);
      await this.#prune(release.version);
      await this.#report(null);
      if (signature) this.#reportExpiring(release, signature);
      return true;
    } catch (error) {
      // An operator or another server was first; the next poll handles the rest.
      if (error instanceof ConflictError || (await isReportedByCopy(error, this.#options.copy))) return true;
      // The report is for people only.
      if (!signal.aborted) await this.#report(pollProblemOf(error)).catch(() => undefined);
      return error instanceof ReleaseRejection;
    }
  }

  async #activate({ version }: Release, signature: ReleaseSignature | undefined): Promise<void> {
    const { remote, registry, copy, management } = this.#options;
    const state = copy.stateOf(remote);
    const { revision, active, pinned, canary } = state;
    // Between reading the revision and appending: if another server activates a newer release meanwhile, one of them fails.
    if (signature && copy.signatureOf(remote)?.signedAt !== signature.signedAt)
      checkNotOlder(await registry.acceptSignature(remote, { ...signature, version }), signature);
    if (active === version || pinned || canary || needsOperator(state, version)) return;
    await management.activate(remote, version, { by: 'mirror', seen: revision });
  }

  #reportExpiring({ version }: Release, { signedAt, expiresAt }: ReleaseSignature): void {
    if (expiresAt - Date.now() > signatureRenewal || this.#expiring === signedAt) return;
    this.#expiring = signedAt;
    this.#options.onExpiring?.(`the signature of ${version} expires on ${dateOf(expiresAt)}; release it again before`);
  }

  /**
   * Removes old releases, also those that this shell can't serve: no other one may ever do it. Retains the one that the
   * origin offers, so that it is not fetched again.
   */
  async #prune(offered: string): Promise<void> {
    const { remote, registry, copy, retained } = this.#options;
    const state = copy.stateOf(remote);
    const { revision, active, canary, activations } = state;
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
    await registry.remove(remote, old, revision);
    await copy.refresh();
  }

  /** Reports a problem that is new since the last poll, and updates the report of the origin. */
  async #report(problem: PollProblem | null): Promise<void> {
    const { remote, origin, registry, copy, onProblem } = this.#options;
    const report: ReleaseReport = {
      address: origin.address,
      offered: this.#offered,
      problem: problem && { ...problem, since: new Date().toISOString() },
    };
    const isKnown = isSameProblem(report, this.#reported);
    this.#reported = report;
    if (problem && !isKnown) onProblem(problem);
    if (isSameProblem(report, copy.originOf(remote))) return;
    await registry.reportOrigin(remote, report);
  }
}

/** Compares two polls; ignores the message for the same release, since a different file may fail first each time. */
function isSameProblem(one: ReleaseReport, other: ReleaseReport | undefined): boolean {
  if (one.address !== other?.address || one.offered !== other.offered) return false;
  if (one.problem?.reason !== other.problem?.reason) return false;
  return one.offered !== null || one.problem?.message === other.problem?.message;
}
