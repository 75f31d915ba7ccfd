import type { Release } from '@daybook/contract';
import { checkCollisions, ReleaseRefusal } from '@daybook/release';
import * as z from 'zod';
import { givenBy, previousOf } from './active-releases.ts';
import { ConflictError, type ReleaseLog } from './log/release-log.ts';
import type { ReleaseChange, RemoteState } from './log/remote-state.ts';
import { readOriginReport } from './mirror/origin-report.ts';
import type { ReleaseStore } from './store/release-store.ts';

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
export const cutForLog = (text: string) => inOneLine(text).slice(0, maxLogWords);

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
   * end a canary that another has just ended would take the active release back.
   */
  readonly seen?: number | undefined;
}

/**
 * All that can be done to what visitors get. Used alike by the mirror, the `releases` command and the operator's
 * page: a change is one line of the log, which running servers take over within a second.
 */
export class ReleaseChanges {
  readonly #remotes: readonly string[];
  readonly #others: readonly string[];
  readonly #store: ReleaseStore;
  readonly #log: ReleaseLog;

  /**
   * @param remotes the names of the site's remotes
   * @param others those that can be changed too, while their paths are free: another site's, or removed from this one
   */
  constructor(remotes: readonly string[], store: ReleaseStore, log: ReleaseLog, others: readonly string[] = []) {
    this.#remotes = remotes;
    this.#others = others;
    this.#store = store;
    this.#log = log;
  }

  /** Makes a stored release the active one, for all: a canary is over. */
  activate(remote: string, version: string, reason: Reason): ReleaseChange {
    const { active } = this.#stateOf(remote, reason);
    this.#stored(remote, version);
    return this.#append(
      { remote, action: 'activate', from: active ?? null, to: version },
      reason,
      'new release at its origin',
    );
  }

  /**
   * Takes a release back: the canary where one runs, else the active release, for the one that was active
   * before it. What was taken back is never activated by itself again.
   *
   * @param version the release to go back to; the one before where left out
   */
  rollback(remote: string, reason: Reason, version?: string): ReleaseChange {
    const { active, canary } = this.#stateOf(remote, reason);
    if (!active) throw new ChangeError(`${remote} has no active release yet; there is nothing to take back.`);
    if (canary && version === undefined) return this.#endCanary(remote, canary.version, active, reason);
    const target = version ?? previousOf(remote, { log: this.#log, store: this.#store })?.release.version;
    if (target === undefined)
      throw new ChangeError(`${remote} has no kept release before ${active}; there is nothing to go back to.`);
    if (target === active) throw new ChangeError(`${remote}@${target} is active already.`);
    this.#stored(remote, target);
    return this.#append({ remote, action: 'rollback', from: active, to: target }, reason, 'rolled back');
  }

  /** Activates a kept release and holds it: newer ones are mirrored and not activated. */
  pin(remote: string, version: string, reason: Reason): ReleaseChange {
    const { active, pinned } = this.#stateOf(remote, reason);
    if (pinned && active === version) throw new ChangeError(`${remote} is pinned to ${version} already.`);
    this.#stored(remote, version);
    return this.#append({ remote, action: 'pin', from: active ?? null, to: version }, reason, 'pinned');
  }

  /** Lets newer releases follow again. */
  unpin(remote: string, reason: Reason): ReleaseChange {
    const { active, pinned } = this.#stateOf(remote, reason);
    if (!pinned || !active) throw new ChangeError(`${remote} is not pinned.`);
    return this.#append({ remote, action: 'unpin', from: active, to: active }, reason, 'unpinned');
  }

  /**
   * Gives a kept release to a share of the visitors; 100 makes it the active one for all, 0 ends the canary and
   * takes its release back.
   *
   * @param percent a whole number from 0 to 100
   * @param auto whether the server may end it by itself where it fails more often than it may
   */
  canary(remote: string, version: string, percent: number, auto: boolean, reason: Reason): ReleaseChange {
    if (!Number.isInteger(percent) || percent < 0 || percent > 100)
      throw new ChangeError(`The share of visitors must be a whole number from 0 to 100, not ${percent}.`);
    const { active, canary } = this.#stateOf(remote, reason);
    if (percent === 0) {
      if (!active || canary?.version !== version) throw new ChangeError(`No canary of ${remote}@${version} runs.`);
      return this.#endCanary(remote, version, active, reason);
    }
    this.#stored(remote, version);
    if (version === active) throw new ChangeError(`${remote}@${version} is active for all visitors already.`);
    if (percent === 100) this.#checkStays(remote, version);
    if (percent === 100)
      return this.activate(remote, version, { ...reason, why: reason.why?.trim() || 'given to all visitors' });
    if (!active)
      throw new ChangeError(
        `${remote} has no active release yet, which all other visitors would get; pin it to one first.`,
      );
    const change = { remote, action: 'canary', from: active ?? null, to: version, percent, auto } as const;
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
    const others = this.#remotes
      .filter((remote) => remote !== release.name)
      .flatMap((remote) => givenBy(remote, { log: this.#log, store: this.#store }) ?? [])
      .flatMap(({ served, canary }) => (canary ? [served, canary.release] : [served]));
    checkCollisions(release, others);
  }

  /**
   * What the origin offers takes the place of whatever is active, unless it is held: to give another release to all
   * would last for a few seconds.
   */
  #checkStays(remote: string, version: string): void {
    const { pinned, withdrawn } = this.#log.stateOf(remote);
    const offered = readOriginReport(this.#store.folder, remote)?.offered;
    if (pinned || !offered || offered === version || withdrawn.has(offered)) return;
    throw new ChangeError(
      `The origin of ${remote} offers ${offered}, which would soon take the place of ${version}. Roll back to it, or pin it.`,
    );
  }

  #stateOf(remote: string, { seen }: Reason): RemoteState {
    const known = [...this.#remotes, ...this.#others];
    if (!known.includes(remote))
      throw new ChangeError(`There is no remote “${remote}”; there are ${known.join(', ')}.`);
    this.#log.refresh();
    const state = this.#log.stateOf(remote);
    if (seen !== undefined && seen !== state.revision)
      throw new ConflictError(`${remote} has been changed in the meantime. Look at it again, then decide.`);
    return state;
  }

  /** A release that visitors may get. */
  #stored(remote: string, version: string): void {
    const stored = this.#store.find(remote, version);
    if (stored) {
      try {
        this.checkCollisions(stored.release);
        return;
      } catch (error) {
        if (!(error instanceof ReleaseRefusal)) throw error;
        throw new ReleaseRefusal(error.reason, `${remote}@${version} can't be given to visitors: ${error.message}`);
      }
    }
    const kept = this.#store.releasesOf(remote).map(({ release }) => release.version);
    throw new ChangeError(`${remote} has no kept release “${version}”; kept are ${kept.join(', ') || 'none'}.`);
  }

  #append(
    change: Pick<ReleaseChange, 'remote' | 'action' | 'from' | 'to' | 'percent' | 'auto'>,
    { by, why }: Reason,
    usualWhy: string,
  ): ReleaseChange {
    return this.#log.append({ ...change, why: cutForLog(why ?? '') || usualWhy, by: cutForLog(by) });
  }
}
