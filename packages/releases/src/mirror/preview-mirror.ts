import { ReleaseRejection, readRelease } from '../gate/gate.ts';
import { ConflictError, type PollProblem, RegistryError } from '../registry/release-registry.ts';
import { type PreviewSignature, readPreview } from '../signature/signature.ts';
import { isReportedByCopy, pollProblemOf } from './poll-problem.ts';
import { type MirrorOptions, ReleaseIntake } from './release-intake.ts';

/**
 * Checks the previews that a remote's origin offers beside its release, stores their releases, and shows them to visitors
 * with the link. Polls apart from the release, so that a preview never delays it.
 */
export class PreviewMirror {
  readonly #options: MirrorOptions;
  readonly #intake: ReleaseIntake;
  #reported: PollProblem | null = null;

  constructor(options: MirrorOptions) {
    this.#options = options;
    this.#intake = new ReleaseIntake(options);
  }

  /**
   * Polls the origin once. Reports failures, which leave the last preview unchanged.
   *
   * @returns whether the origin responded; most of the time it offers no preview
   */
  async poll(signal: AbortSignal): Promise<boolean> {
    try {
      const { origin, remote, trustedKeys } = this.#options;
      const offered = await readPreview(origin, remote, trustedKeys, signal);
      if (offered && this.#isNew(offered.preview)) await this.#start(offered.text, offered.preview, signal);
      await this.#report(null);
      return true;
    } catch (error) {
      // An operator or another server was first; the next poll handles the rest.
      if (error instanceof ConflictError || (await isReportedByCopy(error, this.#options.copy))) return true;
      if (!signal.aborted) await this.#report(pollProblemOf(error));
      return error instanceof ReleaseRejection;
    }
  }

  /**
   * Returns whether a preview has neither begun nor ended yet.
   *
   * @throws ReleaseRejection for an earlier one: an origin may offer one of the past with its valid signature
   */
  #isNew({ tokenHash, expiresAt }: PreviewSignature): boolean {
    const { remote, copy } = this.#options;
    const last = copy.stateOf(remote).preview;
    if (expiresAt <= Date.now() || last?.tokenHash === tokenHash) return false;
    if (!last || expiresAt > Date.parse(last.endsAt)) return true;
    throw new ReleaseRejection(
      'signature',
      `its preview ends on ${new Date(expiresAt).toISOString()}, not after the last one, of ${last.version}; make the preview again`,
    );
  }

  async #start(text: string, { tokenHash, signedAt, expiresAt }: PreviewSignature, signal: AbortSignal): Promise<void> {
    const { origin, remote, copy, management } = this.#options;
    const { revision, active } = copy.stateOf(remote);
    const release = readRelease(text, remote, origin.address);
    // It is out already.
    if (release.version === active) return;
    await this.#intake.store(release, text, signedAt, signal);
    const preview = { tokenHash, endsAt: new Date(expiresAt).toISOString() };
    await management.preview(remote, release.version, preview, { by: 'mirror', seen: revision });
  }

  /** Reports a problem that is new since the last poll. */
  async #report(problem: PollProblem | null): Promise<void> {
    const { remote, origin, registry, copy, onProblem } = this.#options;
    const isSame = (one: PollProblem | null | undefined) =>
      one?.reason === problem?.reason && one?.message === problem?.message;
    if (problem && !isSame(this.#reported)) onProblem(problem);
    this.#reported = problem;
    if (isSame(copy.originOf(remote)?.previewProblem)) return;
    const lasting = problem && { ...problem, since: new Date().toISOString() };
    // Not essential: the report is for people only.
    await registry.reportPreview(remote, origin.address, lasting).catch((error: unknown) => {
      if (!(error instanceof RegistryError)) throw error;
    });
  }
}
