import type { Release } from '@daybook/contract/release';
import * as z from 'zod';
import { checkCollisions, ReleaseRejection } from '../gate/gate.ts';
import type { RegistryCopy } from '../registry/registry-copy.ts';
import { ConflictError } from '../registry/release-registry.ts';
import { needsOperator, type ReleaseChange, type RemoteState, runningPreview } from '../state/remote-state.ts';

/**
 * Parses a share of visitors: `10`, `10 %`.
 *
 * @returns a whole number from 0 to 100
 * @throws ChangeError quoting the text
 */
export function parsePercent(text: string): number {
  const [, digits] = /^\s*(\d{1,3})\s*%?\s*$/.exec(text) ?? [];
  const percent = Number(digits ?? Number.NaN);
  if (percent >= 0 && percent <= 100) return percent;
  throw new ChangeError(`The share of visitors must be a whole number from 0 to 100, not “${text}”.`);
}

const maxLogWords = 200;

/**
 * Schema of text for the log, from a person or a script: in one line without control characters, which a terminal would
 * act on.
 *
 * @param what the text's name, for the message that it is too long: `a reason`
 */
export const logWordsSchema = (what: string) =>
  z
    .string()
    .overwrite((text) => text.replaceAll(/[\s\p{C}]+/gu, ' ').trim())
    .max(maxLogWords, `Write ${what} of at most ${maxLogWords} characters.`);

/** Thrown if a change can't be made, with the reason and the fix; nothing has changed then. */
export class ChangeError extends Error {
  override readonly name = 'ChangeError';
}

/** Author of a change and the reason; both are logged. Both were validated: texts by `logWordsSchema`, names of operators by their pattern. */
export interface Reason {
  readonly by: string;
  readonly why?: string | undefined;
  /**
   * The remote's revision that the decision is based on; if the remote has changed since, the change is rejected: ending
   * a canary that somebody else has just ended would roll back the active release.
   */
  readonly seen?: number | undefined;
}

/**
 * Decides on changes of a site's releases, and appends them to the registry, from which all servers apply them within a
 * second. Shared by the mirrors, the `releases` command and the operator's page. Each change is decided on the copy's state,
 * which is refreshed before; on an outdated one it fails with a `ConflictError`.
 */
export class ReleaseManagement {
  /** The names of the site's remotes. */
  readonly remotes: readonly string[];
  readonly #copy: RegistryCopy;

  constructor(remotes: readonly string[], copy: RegistryCopy) {
    this.remotes = remotes;
    this.#copy = copy;
  }

  /** Activates a stored release for all visitors; ends a canary. */
  async activate(remote: string, version: string, reason: Reason): Promise<ReleaseChange> {
    const state = await this.#freshState(remote, reason);
    this.#checkServable(remote, version);
    return this.#append(state, { remote, action: 'activate', to: version }, reason, 'new release at its origin');
  }

  /**
   * Makes exactly this stored release active for all visitors. The release that it replaces does not come back by itself,
   * even while its origin offers it.
   */
  async replace(remote: string, version: string, reason: Reason): Promise<ReleaseChange> {
    const state = await this.#freshState(remote, reason);
    const { active } = state;
    this.#checkServable(remote, version);
    if (version === active) throw new ChangeError(`${remote}@${version} is active for all visitors already.`);
    if (this.#copy.originOf(remote)?.offered !== active)
      this.#checkStays(remote, version, `Pin ${version}, or activate it once ${remote} serves that release.`);
    return this.#append(state, { remote, action: 'replace', to: version }, reason, 'activated');
  }

  /**
   * Shows a stored release to visitors with its link; it does not become active by itself. Replaces the last preview.
   *
   * @throws ChangeError if all visitors get the release already
   */
  async preview(
    remote: string,
    version: string,
    { tokenHash, endsAt }: Required<Pick<ReleaseChange, 'tokenHash' | 'endsAt'>>,
    reason: Reason,
  ): Promise<ReleaseChange> {
    const state = await this.#freshState(remote, reason);
    // It must not be withdrawn.
    if (version === state.active) throw new ChangeError(`${remote}@${version} is active for all visitors already.`);
    const change = { remote, action: 'preview', to: version, tokenHash, endsAt } as const;
    return this.#append(state, change, reason, 'new preview at its origin');
  }

  /** Ends the preview of a remote: its link shows nothing any more. */
  async endPreview(remote: string, reason: Reason): Promise<ReleaseChange> {
    const state = await this.#freshState(remote, reason);
    const preview = runningPreview(state);
    if (!preview) throw new ChangeError(`${remote} has no preview.`);
    const change = { remote, action: 'end-preview', from: null, to: preview.version } as const;
    return this.#append(state, change, reason, 'preview ended');
  }

  /**
   * Rolls back the canary if one runs, otherwise the active release to the previous one. A rolled back release is never
   * activated automatically again.
   *
   * @param version the release to roll back to; the previous one by default, but required while the remote is pinned
   */
  async rollback(remote: string, reason: Reason, version?: string): Promise<ReleaseChange> {
    const state = await this.#freshState(remote, reason);
    const { active, canary, pinned } = state;
    if (!active) throw new ChangeError(`${remote} has no active release yet; there is nothing to roll back.`);
    if (canary && version === undefined) return this.#endCanary(state, remote, canary.version, active, reason);
    const target = version ?? this.#copy.previousOf(remote)?.release.version;
    if (target === undefined)
      throw new ChangeError(
        `${remote} has no stored release before ${active} that is not withdrawn. To roll back to another stored release, name its version.`,
      );
    if (target === active) throw new ChangeError(`${remote}@${target} is active already.`);
    // The pinned release is usually the good one, and a newer one only waits.
    if (pinned && version === undefined)
      throw new ChangeError(
        `${remote} is pinned to ${active}, and newer releases only wait. A rollback would pin it to ${target} instead, and ${active} would not become active by itself again. To do that, name the version ${target}.`,
      );
    this.#checkServable(remote, target);
    return this.#append(state, { remote, action: 'rollback', to: target }, reason, 'rolled back');
  }

  /** Activates a stored release and holds it: newer ones are mirrored and not activated. */
  async pin(remote: string, version: string, reason: Reason): Promise<ReleaseChange> {
    const state = await this.#freshState(remote, reason);
    const { active, pinned } = state;
    if (pinned && active === version) throw new ChangeError(`${remote} is pinned to ${version} already.`);
    this.#checkServable(remote, version);
    return this.#append(state, { remote, action: 'pin', to: version }, reason, 'pinned');
  }

  /** Lets newer releases become active again. */
  async unpin(remote: string, reason: Reason): Promise<ReleaseChange> {
    const state = await this.#freshState(remote, reason);
    const { active, pinned } = state;
    if (!pinned || !active) throw new ChangeError(`${remote} is not pinned.`);
    return this.#append(state, { remote, action: 'unpin', to: active }, reason, 'unpinned');
  }

  /**
   * Serves a stored release to a share of the visitors; 100 promotes it, 0 rolls it back.
   *
   * @param percent a whole number from 0 to 100
   */
  async canary(remote: string, version: string, percent: number, reason: Reason): Promise<ReleaseChange> {
    if (!Number.isInteger(percent) || percent < 0 || percent > 100)
      throw new ChangeError(`The share of visitors must be a whole number from 0 to 100, not ${percent}.`);
    const state = await this.#freshState(remote, reason);
    const { active, canary } = state;
    if (percent === 0) {
      if (!active || canary?.version !== version) throw new ChangeError(`No canary of ${remote}@${version} runs.`);
      return this.#endCanary(state, remote, version, active, reason);
    }
    this.#checkServable(remote, version);
    if (version === active) throw new ChangeError(`${remote}@${version} is active for all visitors already.`);
    if (percent === 100) {
      this.#checkStays(remote, version, 'Activate it, or pin it.');
      return this.#append(state, { remote, action: 'activate', to: version }, reason, 'promoted to all visitors');
    }
    if (!active)
      throw new ChangeError(
        `${remote} has no active release yet, which all other visitors would get; pin it to one first.`,
      );
    const change = { remote, action: 'canary', to: version, percent } as const;
    return this.#append(state, change, reason, `canary for ${percent} % of visitors`);
  }

  #endCanary(
    state: RemoteState,
    remote: string,
    version: string,
    active: string,
    reason: Reason,
  ): Promise<ReleaseChange> {
    return this.#append(state, { remote, action: 'rollback', from: version, to: active }, reason, 'canary ended');
  }

  /**
   * Checks that no other remote serves one of a release's paths.
   *
   * @throws ReleaseRejection naming path and owner
   */
  checkCollisions(release: Release): void {
    const others = this.remotes
      .filter((remote) => remote !== release.name)
      .flatMap((remote) => {
        const { active, canary } = this.#copy.stateOf(remote);
        const served = (active && this.#copy.find(remote, active)) || this.#copy.previousOf(remote);
        return [served, canary && this.#copy.find(remote, canary.version)];
      });
    checkCollisions(
      release,
      others.flatMap((found) => found?.release ?? []),
    );
  }

  /**
   * Rejects a change that the next poll would undo: unless the remote is pinned, the release at its origin replaces the
   * active one.
   */
  #checkStays(remote: string, version: string, instead: string): void {
    const state = this.#copy.stateOf(remote);
    const offered = this.#copy.originOf(remote)?.offered;
    if (state.pinned || !offered || offered === version || needsOperator(state, offered)) return;
    throw new ChangeError(
      `The origin of ${remote} offers ${offered}, which would soon take the place of ${version}. ${instead}`,
    );
  }

  /** @throws ChangeError for an unknown remote */
  checkKnown(remote: string): void {
    if (!this.remotes.includes(remote))
      throw new ChangeError(`There is no remote “${remote}”; there are ${this.remotes.join(', ')}.`);
  }

  async #freshState(remote: string, { seen }: Reason): Promise<RemoteState> {
    await this.#copy.refresh();
    this.checkKnown(remote);
    const state = this.#copy.stateOf(remote);
    if (seen !== undefined && seen !== state.revision)
      throw new ConflictError(`${remote} has been changed in the meantime. Check its state, then decide.`);
    return state;
  }

  /** Checks that a release is stored and that its paths are free. */
  #checkServable(remote: string, version: string): void {
    const found = this.#copy.find(remote, version);
    if (!found) {
      const stored = this.#copy
        .releasesOf(remote)
        .map(({ release }) => release.version)
        .join(', ');
      throw new ChangeError(`${remote} has no stored release “${version}”; stored: ${stored || 'none'}.`);
    }
    try {
      this.checkCollisions(found.release);
    } catch (error) {
      if (!(error instanceof ReleaseRejection)) throw error;
      throw new ReleaseRejection(error.reason, `${remote}@${version} can't be served: ${error.message}`);
    }
  }

  /**
   * @param state the state that the change was decided on
   * @param change `from` is the active release by default
   */
  async #append(
    { revision, active }: RemoteState,
    change: Omit<ReleaseChange, 'at' | 'revision' | 'from' | 'why' | 'by'> & Partial<Pick<ReleaseChange, 'from'>>,
    { by, why }: Reason,
    defaultWhy: string,
  ): Promise<ReleaseChange> {
    return this.#copy.append({ from: active ?? null, ...change, revision: revision + 1, why: why || defaultWhy, by });
  }
}
