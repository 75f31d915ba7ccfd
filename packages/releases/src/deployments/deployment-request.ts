import { teamNamePrefix } from '@daybook/server';
import * as z from 'zod';
import { lineOf } from '../manifest/line.ts';
import type { Audience, RemoteState } from '../registry/remote-state.ts';

/**
 * Parses the share of visitors of a canary: `10`, `10 %`.
 *
 * @returns a whole number from 1 to 99
 * @throws DeploymentError quoting the text
 */
export function parsePercent(text: string): number {
  const [, digits] = /^(\d{1,3})\s*%?$/.exec(text.trim()) ?? [];
  const percent = Number(digits ?? Number.NaN);
  checkPercent(percent, `“${text}”`);
  return percent;
}

function checkPercent(percent: number, text = String(percent)): void {
  if (Number.isInteger(percent) && percent >= 1 && percent <= 99) return;
  throw new DeploymentError(
    `The share of visitors must be a whole number from 1 to 99, not ${text}. To give a release to all, activate it; to none, end its canary.`,
  );
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
    .overwrite((text) => lineOf(text))
    .max(maxLogWords, `Write ${what} of at most ${maxLogWords} characters.`);

/** Thrown if a deployment can't be made, with the reason and the fix; nothing has changed then. */
export class DeploymentError extends Error {
  override readonly name = 'DeploymentError';
}

/**
 * Who decided on a deployment and why, which the log has; and on which state. Texts were validated by `logWordsSchema`, names of
 * operators by their pattern.
 */
export interface Decision {
  readonly by: string;
  readonly why?: string | undefined;
  /**
   * Number of the remote's last deployment that it is based on; if there is another one since, it is rejected:
   * a second rollback on the same state would roll back the release before, too.
   */
  readonly seen?: number | undefined;
  /**
   * The version that was active when the release was compared with it; `none` if none was. Publishing is rejected if another
   * one is active by then, since it would undo that one.
   */
  readonly base?: string | undefined;
}

/** Whether a name in the log is that of a team. */
export const isTeam = (by: string) => by.startsWith(teamNamePrefix);

/** Actions of a team while operators hold its remote: back to what visitors had, and no further. */
const actionsInHold: readonly string[] = ['rollback', 'end', 'hold'];

/** Returns who binds a team by a hold, so that it can't make this deployment; `undefined` if nobody does. */
export const boundBy = ({ heldBy }: RemoteState, action: string): string | undefined =>
  heldBy === undefined || isTeam(heldBy) || actionsInHold.includes(action) ? undefined : heldBy;

/** Whom a release is offered to: a share of visitors, or those with a link until it ends (ISO 8601). */
export type Offer = { readonly percent: number } | { readonly tokenHash: string; readonly endsAt: string };

export const audienceOf = (offer: Offer): Audience => ('percent' in offer ? 'canary' : 'preview');

/** @throws DeploymentError if a canary can't begin */
export function checkOffer({ active }: RemoteState, remote: string, offer: Offer): void {
  if (!('percent' in offer)) return;
  checkPercent(offer.percent);
  if (active === undefined)
    throw new DeploymentError(
      `${remote} has no active release yet, which all other visitors would get; activate one first.`,
    );
}

/** What people and scripts can ask for: the actions of the log, and `rollback`, which is an `activate`. */
export const deploymentActions = ['activate', 'rollback', 'offer', 'end', 'hold', 'lift'] as const;

/** A deployment that somebody asks for. */
export interface DeploymentRequest {
  readonly action: (typeof deploymentActions)[number];
  readonly version?: string | undefined;
  /** Of `offer`. */
  readonly percent?: number | undefined;
  /** Of `end`; by default the only one. */
  readonly audience?: Audience | undefined;
}
