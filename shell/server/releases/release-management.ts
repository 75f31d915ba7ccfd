import type { Release } from '@daybook/contract/release';
import { checkCollisions, ReleaseRejection } from '@daybook/release';
import * as z from 'zod';
import { ConflictError, ReleaseLog } from './log/release-log.ts';
import type { ReleaseChange, RemoteState } from './log/remote-state.ts';
import { readOriginReport } from './mirror/origin-report.ts';
import { ReleaseStore, type StoredRelease } from './store/release-store.ts';

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

/** The releases that visitors get of a remote. */
export interface ServedReleases {
  /** The active release; the previous one as a fallback if that is lost or damaged. */
  readonly served: Release;
  readonly canary?: { readonly release: Release; readonly percent: number };
  /** The previous release, unless it is served already. */
  readonly previous?: Release;
}

/**
 * Reads and changes a releases folder; any number of processes may open it at once. Shared by the mirror, the `releases`
 * command and the operator's page: a change is one line of the log, which running servers apply within a second.
 */
export class ReleaseManagement {
  /** The names of the site's remotes. */
  readonly remotes: readonly string[];
  /** Remotes of a server with a different `REMOTES`; can be changed too, as long as their paths are free. */
  readonly others: readonly string[];
  readonly store: ReleaseStore;
  readonly log: ReleaseLog;

  /**
   * @param report called once with each damaged release and each problem of the log
   * @throws Error if the folder exists and can't be read
   */
  constructor(
    folder: string,
    remotes: readonly string[],
    report: (problem: string) => void,
    others: readonly string[] = [],
  ) {
    this.remotes = remotes;
    this.others = others;
    this.store = new ReleaseStore(folder, report);
    try {
      this.log = new ReleaseLog(this.store.folder, report);
    } catch (error) {
      const { message } = error as Error;
      throw new Error(`The releases folder ${folder} can't be read: ${message}. Set RELEASES_FOLDER to one that can.`, {
        cause: error,
      });
    }
  }

  /** Returns the stored release that was active before the active one and is not withdrawn. */
  previousOf(remote: string): StoredRelease | undefined {
    const { active, activations, withdrawn } = this.log.stateOf(remote);
    const versions = [...activations.keys()].reverse();
    const earlier = versions.filter((version) => version !== active && !withdrawn.has(version));
    return earlier.map((version) => this.store.find(remote, version)).find((stored) => stored !== undefined);
  }

  /** Returns the releases that visitors get of a remote now, by log and store; `undefined` if there are none. */
  servedBy(remote: string): ServedReleases | undefined {
    const { active, canary } = this.log.stateOf(remote);
    const previous = this.previousOf(remote)?.release;
    // If the active release is damaged, the previous one is the fallback.
    const served = (active && this.store.find(remote, active)?.release) || previous;
    if (!served) return undefined;
    const newcomer = canary && this.store.find(remote, canary.version)?.release;
    return {
      served,
      ...(newcomer ? { canary: { release: newcomer, percent: canary.percent } } : {}),
      ...(previous && previous !== served ? { previous } : {}),
    };
  }

  /** Activates a stored release for all visitors; ends a canary. */
  activate(remote: string, version: string, reason: Reason): ReleaseChange {
    const { active } = this.#stateOf(remote, reason);
    this.#checkServable(remote, version);
    return this.#append(
      { remote, action: 'activate', from: active ?? null, to: version },
      reason,
      'new release at its origin',
    );
  }

  /**
   * Rolls back the canary if one runs, otherwise the active release to the previous one. A rolled back release is never
   * activated automatically again.
   *
   * @param version the release to roll back to; the previous one by default, but required while the remote is pinned
   */
  rollback(remote: string, reason: Reason, version?: string): ReleaseChange {
    const { active, canary, pinned } = this.#stateOf(remote, reason);
    if (!active) throw new ChangeError(`${remote} has no active release yet; there is nothing to roll back.`);
    if (canary && version === undefined) return this.#endCanary(remote, canary.version, active, reason);
    const target = version ?? this.previousOf(remote)?.release.version;
    if (target === undefined)
      throw new ChangeError(`${remote} has no stored release before ${active}; there is nothing to roll back to.`);
    if (target === active) throw new ChangeError(`${remote}@${target} is active already.`);
    // The pinned release is usually the good one, and a newer one only waits.
    if (pinned && version === undefined)
      throw new ChangeError(
        `${remote} is pinned to ${active}, and newer releases only wait. A rollback would pin it to ${target} instead, and ${active} would not become active by itself again. To do that, name the version ${target}.`,
      );
    this.#checkServable(remote, target);
    return this.#append({ remote, action: 'rollback', from: active, to: target }, reason, 'rolled back');
  }

  /** Activates a stored release and holds it: newer ones are mirrored and not activated. */
  pin(remote: string, version: string, reason: Reason): ReleaseChange {
    const { active, pinned } = this.#stateOf(remote, reason);
    if (pinned && active === version) throw new ChangeError(`${remote} is pinned to ${version} already.`);
    this.#checkServable(remote, version);
    return this.#append({ remote, action: 'pin', from: active ?? null, to: version }, reason, 'pinned');
  }

  /** Lets newer releases become active again. */
  unpin(remote: string, reason: Reason): ReleaseChange {
    const { active, pinned } = this.#stateOf(remote, reason);
    if (!pinned || !active) throw new ChangeError(`${remote} is not pinned.`);
    return this.#append({ remote, action: 'unpin', from: active, to: active }, reason, 'unpinned');
  }

  /**
   * Serves a stored release to a share of the visitors; 100 promotes it, 0 rolls it back.
   *
   * @param percent a whole number from 0 to 100
   */
  canary(remote: string, version: string, percent: number, reason: Reason): ReleaseChange {
    if (!Number.isInteger(percent) || percent < 0 || percent > 100)
      throw new ChangeError(`The share of visitors must be a whole number from 0 to 100, not ${percent}.`);
    const { active, canary } = this.#stateOf(remote, reason);
    if (percent === 0) {
      if (!active || canary?.version !== version) throw new ChangeError(`No canary of ${remote}@${version} runs.`);
      return this.#endCanary(remote, version, active, reason);
    }
    this.#checkServable(remote, version);
    if (version === active) throw new ChangeError(`${remote}@${version} is active for all visitors already.`);
    if (percent === 100) {
      this.#checkStays(remote, version);
      return this.activate(remote, version, { ...reason, why: reason.why || 'promoted to all visitors' });
    }
    if (!active)
      throw new ChangeError(
        `${remote} has no active release yet, which all other visitors would get; pin it to one first.`,
      );
    const change = { remote, action: 'canary', from: active, to: version, percent } as const;
    return this.#append(change, reason, `canary for ${percent} % of visitors`);
  }

  #endCanary(remote: string, version: string, active: string, reason: Reason): ReleaseChange {
    return this.#append({ remote, action: 'rollback', from: version, to: active }, reason, 'canary ended');
  }

  /**
   * Checks that no other remote serves one of a release's paths.
   *
   * @throws ReleaseRejection naming path and owner
   */
  checkCollisions(release: Release): void {
    const others = this.remotes
      .filter((remote) => remote !== release.name)
      .flatMap((remote) => this.servedBy(remote) ?? [])
      .flatMap(({ served, canary }) => (canary ? [served, canary.release] : [served]));
    checkCollisions(release, others);
  }

  /**
   * Rejects a promotion that the next poll would undo: unless the remote is pinned, the release at its origin replaces
   * the active one.
   */
  #checkStays(remote: string, version: string): void {
    const { pinned, withdrawn } = this.log.stateOf(remote);
    const offered = readOriginReport(this.store.folder, remote)?.offered;
    if (pinned || !offered || offered === version || withdrawn.has(offered)) return;
    throw new ChangeError(
      `The origin of ${remote} offers ${offered}, which would soon take the place of ${version}. Roll back to it, or pin it.`,
    );
  }

  /** @throws ChangeError for an unknown remote */
  checkKnown(remote: string): void {
    const known = [...this.remotes, ...this.others];
    if (!known.includes(remote))
      throw new ChangeError(`There is no remote “${remote}”; there are ${known.join(', ')}.`);
  }

  #stateOf(remote: string, { seen }: Reason): RemoteState {
    this.checkKnown(remote);
    this.log.refresh();
    const state = this.log.stateOf(remote);
    if (seen !== undefined && seen !== state.revision)
      throw new ConflictError(`${remote} has been changed in the meantime. Check its state, then decide.`);
    return state;
  }

  /** Checks that a release is stored and that its paths are free. */
  #checkServable(remote: string, version: string): void {
    const found = this.store.find(remote, version);
    if (!found) {
      const stored = this.store
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

  #append(
    change: Pick<ReleaseChange, 'remote' | 'action' | 'from' | 'to' | 'percent'>,
    { by, why }: Reason,
    defaultWhy: string,
  ): ReleaseChange {
    return this.log.append({ ...change, why: why || defaultWhy, by });
  }
}
