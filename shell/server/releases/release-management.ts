import type { Release } from '@daybook/contract';
import { checkCollisions, ReleaseRefusal } from '@daybook/release';
import * as z from 'zod';
import { ConflictError, ReleaseLog } from './log/release-log.ts';
import type { ReleaseChange, RemoteState } from './log/remote-state.ts';
import { readOriginReport } from './mirror/origin-report.ts';
import { ReleaseStore, type StoredRelease } from './store/release-store.ts';

/**
 * Reads a share of visitors as a person writes it: `10`, `10 %`.
 *
 * @returns a whole number from 0 to 100
 * @throws ChangeError repeating what was written
 */
export function parsePercent(text: string): number {
  const [, digits] = /^\s*(\d{1,3})\s*%?\s*$/.exec(text) ?? [];
  const percent = Number(digits ?? Number.NaN);
  if (percent >= 0 && percent <= 100) return percent;
  throw new ChangeError(`The share of visitors must be a whole number from 0 to 100, not “${text}”.`);
}

const maxLogWords = 200;

/** One line without control characters, which a terminal would act on: the log is read in many places. */
const inOneLine = (text: string) => text.replaceAll(/[\s\p{C}]+/gu, ' ').trim();

/** Shortens words for the log, where nobody can be asked to. */
const cutForLog = (text: string) => inOneLine(text).slice(0, maxLogWords);

/**
 * Words of a person or a script for the log, whichever way they come in.
 *
 * @param what they are, for the message that they are too long: `a reason`
 */
export const logWordsSchema = (what: string) =>
  z.string().overwrite(inOneLine).max(maxLogWords, `Write ${what} of at most ${maxLogWords} characters.`);

/** A change that can't be made; the message names the thing and what to do. Nothing has changed. */
export class ChangeError extends Error {
  override readonly name = 'ChangeError';
}

/** Who makes a change, and why; both go into the log. */
export interface Reason {
  readonly by: string;
  readonly why?: string | undefined;
  /**
   * The remote's revision that the decision was made on. Where the remote has changed since, nothing is done: to
   * end a canary that another has just ended would roll the active release back.
   */
  readonly seen?: number | undefined;
}

/** What a remote gives to visitors: its release, and the canary that some get instead. */
export interface GivenReleases {
  /** The active release; the one before it where that is lost or damaged. */
  readonly served: Release;
  readonly canary?: { readonly release: Release; readonly percent: number };
  /** The one before, where that does not stand in already. */
  readonly previous?: Release;
}

/**
 * A releases folder with all that can be done to what visitors get; any number of processes may open it at once. Used
 * alike by the mirror, the `releases` command and the operator's page: a change is one line of the log, which running
 * servers take over within a second.
 */
export class ReleaseManagement {
  /** The names of the site's remotes. */
  readonly remotes: readonly string[];
  /** Remotes that can be changed too, while their paths are free: a server with another `REMOTES` brought them. */
  readonly others: readonly string[];
  readonly store: ReleaseStore;
  readonly log: ReleaseLog;

  /**
   * @param report called once with each damaged release and each problem of the log
   * @throws Error where the folder is there and can't be read
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

  /** The stored release that was active before the active one and was not rolled back. */
  previousOf(remote: string): StoredRelease | undefined {
    const { active, activations, withdrawn } = this.log.stateOf(remote);
    const versions = [...activations.keys()].reverse();
    const earlier = versions.filter((version) => version !== active && !withdrawn.has(version));
    return earlier.map((version) => this.store.find(remote, version)).find((stored) => stored !== undefined);
  }

  /** What a remote gives to visitors as log and store are at this moment; `undefined` where it has nothing to give. */
  givenBy(remote: string): GivenReleases | undefined {
    const { active, canary } = this.log.stateOf(remote);
    const previous = this.previousOf(remote)?.release;
    // Where the active one is damaged, the site goes on with the one before it.
    const served = (active && this.store.find(remote, active)?.release) || previous;
    if (!served) return undefined;
    const newcomer = canary && this.store.find(remote, canary.version)?.release;
    return {
      served,
      ...(newcomer ? { canary: { release: newcomer, percent: canary.percent } } : {}),
      ...(previous && previous !== served ? { previous } : {}),
    };
  }

  /** Makes a stored release the active one, for all: a canary is over. */
  activate(remote: string, version: string, reason: Reason): ReleaseChange {
    const { active } = this.#stateOf(remote, reason);
    this.#checkGivable(remote, version);
    return this.#append(
      { remote, action: 'activate', from: active ?? null, to: version },
      reason,
      'new release at its origin',
    );
  }

  /**
   * Rolls a release back: the canary where one runs, else the active release, to the one that was active before it.
   * What was rolled back is never activated by itself again.
   *
   * @param version the release to go back to; the one before where left out
   */
  rollback(remote: string, reason: Reason, version?: string): ReleaseChange {
    const { active, canary } = this.#stateOf(remote, reason);
    if (!active) throw new ChangeError(`${remote} has no active release yet; there is nothing to take back.`);
    if (canary && version === undefined) return this.#endCanary(remote, canary.version, active, reason);
    const target = version ?? this.previousOf(remote)?.release.version;
    if (target === undefined)
      throw new ChangeError(`${remote} has no kept release before ${active}; there is nothing to go back to.`);
    if (target === active) throw new ChangeError(`${remote}@${target} is active already.`);
    this.#checkGivable(remote, target);
    return this.#append({ remote, action: 'rollback', from: active, to: target }, reason, 'rolled back');
  }

  /** Activates a stored release and holds it: newer ones are mirrored and not activated. */
  pin(remote: string, version: string, reason: Reason): ReleaseChange {
    const { active, pinned } = this.#stateOf(remote, reason);
    if (pinned && active === version) throw new ChangeError(`${remote} is pinned to ${version} already.`);
    this.#checkGivable(remote, version);
    return this.#append({ remote, action: 'pin', from: active ?? null, to: version }, reason, 'pinned');
  }

  /** Lets newer releases follow again. */
  unpin(remote: string, reason: Reason): ReleaseChange {
    const { active, pinned } = this.#stateOf(remote, reason);
    if (!pinned || !active) throw new ChangeError(`${remote} is not pinned.`);
    return this.#append({ remote, action: 'unpin', from: active, to: active }, reason, 'unpinned');
  }

  /**
   * Gives a stored release to a share of the visitors; 100 makes it the active one for all, 0 ends the canary and
   * rolls its release back.
   *
   * @param percent a whole number from 0 to 100
   * @param auto whether the server may end it by itself where it fails significantly more often
   */
  canary(remote: string, version: string, percent: number, auto: boolean, reason: Reason): ReleaseChange {
    if (!Number.isInteger(percent) || percent < 0 || percent > 100)
      throw new ChangeError(`The share of visitors must be a whole number from 0 to 100, not ${percent}.`);
    const { active, canary } = this.#stateOf(remote, reason);
    if (percent === 0) {
      if (!active || canary?.version !== version) throw new ChangeError(`No canary of ${remote}@${version} runs.`);
      return this.#endCanary(remote, version, active, reason);
    }
    this.#checkGivable(remote, version);
    if (version === active) throw new ChangeError(`${remote}@${version} is active for all visitors already.`);
    if (percent === 100) {
      this.#checkStays(remote, version);
      return this.activate(remote, version, { ...reason, why: reason.why?.trim() || 'given to all visitors' });
    }
    if (!active)
      throw new ChangeError(
        `${remote} has no active release yet, which all other visitors would get; pin it to one first.`,
      );
    const change = { remote, action: 'canary', from: active, to: version, percent, auto } as const;
    return this.#append(change, reason, `given to ${percent} % of visitors`);
  }

  #endCanary(remote: string, version: string, active: string, reason: Reason): ReleaseChange {
    return this.#append({ remote, action: 'rollback', from: version, to: active }, reason, 'canary ended');
  }

  /**
   * Checks that a release's paths are free: no other remote gives one of them to visitors.
   *
   * @throws ReleaseRefusal naming path and owner
   */
  checkCollisions(release: Release): void {
    const others = this.remotes
      .filter((remote) => remote !== release.name)
      .flatMap((remote) => this.givenBy(remote) ?? [])
      .flatMap(({ served, canary }) => (canary ? [served, canary.release] : [served]));
    checkCollisions(release, others);
  }

  /**
   * What the origin offers takes the place of whatever is active, unless it is held: to give another release to all
   * would last for a few seconds.
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
      throw new ConflictError(`${remote} has been changed in the meantime. Look at it again, then decide.`);
    return state;
  }

  /** Checks that a release is stored and that visitors may get it. */
  #checkGivable(remote: string, version: string): void {
    const stored = this.store.find(remote, version);
    if (!stored) {
      const kept = this.store.releasesOf(remote).map(({ release }) => release.version);
      throw new ChangeError(`${remote} has no kept release “${version}”; kept are ${kept.join(', ') || 'none'}.`);
    }
    try {
      this.checkCollisions(stored.release);
    } catch (error) {
      if (!(error instanceof ReleaseRefusal)) throw error;
      throw new ReleaseRefusal(error.reason, `${remote}@${version} can't be given to visitors: ${error.message}`);
    }
  }

  #append(
    change: Pick<ReleaseChange, 'remote' | 'action' | 'from' | 'to' | 'percent' | 'auto'>,
    { by, why }: Reason,
    defaultWhy: string,
  ): ReleaseChange {
    return this.log.append({ ...change, why: cutForLog(why ?? '') || defaultWhy, by: cutForLog(by) });
  }
}
