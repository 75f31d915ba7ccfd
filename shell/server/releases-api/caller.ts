import type { TeamKeys } from '@daybook/releases';
import {
  boundBy,
  isSignature,
  keyNamedIn,
  type LiveSnapshot,
  RequestRejection,
  verifyRequest,
} from '@daybook/releases/server';
import { bearerTokenOf, teamNamePrefix } from '@daybook/server';
import type { FastifyRequest } from 'fastify';
import { type OperatorAccess, scriptName } from '../operator/operator-access.ts';
import { RequestError } from '../request-error.ts';

/** Who asks: an operator, for all remotes; or a remote's team, for its own. */
export interface Caller {
  /** For the log. */
  readonly by: string;
  readonly isTeam: boolean;
  /** False for an unnamed token: `by` is the same for all of them, and the request may name the operator instead. */
  readonly isNamed: boolean;
  /** Checks that a team has signed this body; throws RequestRejection. Operators sign nothing. */
  check(body: Uint8Array | string): void;
}

export interface CallerOptions {
  readonly access: OperatorAccess;
  readonly teamKeys: TeamKeys;
  /** The site's public origin, for which requests are signed. */
  readonly publicUrl: string;
}

/**
 * Identifies the caller by the header `Authorization`, before any body is read. Cookies identify nobody, so no page can
 * act for its visitor.
 *
 * @param remote the one that the request is about; for all, an operator's token is needed
 * @throws RequestRejection or RequestError
 */
export async function identifyCaller(
  request: FastifyRequest,
  remote: string | undefined,
  { access, teamKeys, publicUrl }: CallerOptions,
): Promise<Caller> {
  const token = bearerTokenOf(request.headers.authorization);
  if (!isSignature(token)) {
    const by = await access.nameOfScript(request);
    return { by, isTeam: false, isNamed: by !== scriptName, check: () => undefined };
  }
  if (remote === undefined)
    throw new RequestRejection(403, "This is for operators: a team's key reads its own remote.");
  // A key or a remote that was added a moment ago.
  if (!teamKeys.keysOf(remote).includes(keyNamedIn(token))) teamKeys.refresh((problem) => request.log.error(problem));
  const { key, check } = await verifyRequest(token, remote, publicUrl, teamKeys);
  return {
    by: `${teamNamePrefix}${remote} (key ${key.slice(0, 8)}…)`,
    isTeam: true,
    isNamed: true,
    check: (body) => check({ method: request.method, path: request.originalUrl, body }),
  };
}

/** Of a team, by its key, within an hour: each stays in the log, which all servers have in memory. */
const maxDeployments = 100;
const hour = 60 * 60_000;

/**
 * Checks that a team may make a deployment: it decides on what it has seen, so that a replayed request has no effect; and a hold of
 * operators binds it. Operators may make any.
 *
 * @param seen number of the remote's last deployment that the team has seen
 * @throws RequestError or RequestRejection
 */
export async function checkTeam(
  live: LiveSnapshot,
  remote: string,
  { by, isTeam }: Caller,
  { action, seen }: { readonly action: string; readonly seen?: number | undefined },
): Promise<void> {
  if (!isTeam) return;
  if (seen === undefined) throw new RequestError(400, "“seen” is missing: the number of the remote's last deployment.");
  await live.refresh();
  const deployments = live.current.deployments(remote);
  const recent = deployments.filter((each) => each.by === by && Date.now() - Date.parse(each.at) < hour);
  if (recent.length >= maxDeployments) {
    const again = Date.parse(recent[0]?.at ?? '') + hour;
    const message = `A team may make ${maxDeployments} deployments an hour; again at ${new Date(again).toISOString()}. Operators still can.`;
    throw new RequestError(429, message, Math.ceil((again - Date.now()) / 1000));
  }
  const heldBy = boundBy(live.current.stateOf(remote), action);
  if (heldBy === undefined) return;
  const { why } = deployments.findLast((each) => each.action === 'hold') ?? {};
  throw new RequestRejection(403, `${remote} is held by ${heldBy} (${why}); only operators can change that.`);
}
