import { boundBy, type LiveSnapshot, RequestRejection } from '@daybook/releases/server';
import { AccessError } from '../operator/operator-access.ts';
import type { Caller } from './caller.ts';

/** Of a team, by its key, within an hour: each stays in the log, which all servers have in memory. */
const maxDeployments = 100;
const hour = 60 * 60_000;

/**
 * Checks that a team may make a deployment: it decides on what it has seen, so that a replayed request has no effect; and a hold of
 * operators binds it. Operators may make any.
 *
 * @param seen number of the remote's last deployment that the team has seen
 * @throws AccessError or RequestRejection
 */
export async function checkTeam(
  live: LiveSnapshot,
  remote: string,
  { by, isTeam }: Caller,
  { action, seen }: { readonly action: string; readonly seen?: number | undefined },
): Promise<void> {
  if (!isTeam) return;
  if (seen === undefined) throw new AccessError(400, "“seen” is missing: the number of the remote's last deployment.");
  await live.refresh();
  const deployments = live.current.deployments(remote);
  const recent = deployments.filter((each) => each.by === by && Date.now() - Date.parse(each.at) < hour);
  if (recent.length >= maxDeployments) {
    const again = Date.parse(recent[0]?.at ?? '') + hour;
    const message = `A team may make ${maxDeployments} deployments an hour; again at ${new Date(again).toISOString()}. Operators still can.`;
    throw new AccessError(429, message, Math.ceil((again - Date.now()) / 1000));
  }
  const heldBy = boundBy(live.current.stateOf(remote), action);
  if (heldBy === undefined) return;
  const { why } = deployments.findLast((each) => each.action === 'hold') ?? {};
  throw new RequestRejection(403, `${remote} is held by ${heldBy} (${why}); only operators can change that.`);
}
