import { isRequestSignature, RequestRejection, verifyRequest } from '@daybook/releases/server';
import { bearerTokenOf } from '@daybook/server';
import type { FastifyRequest } from 'fastify';
import type { OperatorAccess } from '../operator/operator-access.ts';

/** Who asks: an operator, for all remotes; or a remote's team, for its own. */
export interface Caller {
  /** For the log. */
  readonly by: string;
  readonly isTeam: boolean;
  /** Checks that a team has signed this body; throws RequestRejection. */
  check(body: Uint8Array | string): void;
}

export interface CallerOptions {
  readonly access: OperatorAccess;
  readonly remotes: readonly string[];
  /** Public keys of a remote's team; `undefined` if it has none. */
  readonly keysOf: (remote: string) => readonly string[] | undefined;
}

/**
 * Identifies the caller by the header `Authorization`, before any body is read. Cookies identify nobody, so no page can
 * act for its visitor.
 *
 * @param remote the one that the request is about; for all, an operator's token is needed
 * @throws RequestRejection or AccessError
 */
export async function identifyCaller(
  request: FastifyRequest,
  remote: string | undefined,
  { access, remotes, keysOf }: CallerOptions,
): Promise<Caller> {
  const token = bearerTokenOf(request.headers.authorization);
  if (!isRequestSignature(token)) {
    const by = await access.nameOfScript(request);
    return { by, isTeam: false, check: () => undefined };
  }
  if (remote === undefined)
    throw new RequestRejection(403, "This is for operators: a team's key reads its own remote.");
  const { key, check } = await verifyRequest(token, remote, remotes, keysOf);
  return {
    by: `team of ${remote} (key ${key.slice(0, 8)}…)`,
    isTeam: true,
    check: (body) => check({ method: request.method, path: request.originalUrl, body }),
  };
}
