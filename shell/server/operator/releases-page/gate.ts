import { networkOf } from '@daybook/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { OperatorAccess } from '../operator-access.ts';
import { releasesPageAddress } from './addresses.ts';
import type { FailedAttempts } from './failed-attempts.ts';
import { type Operator, operatorOf } from './operator-sessions.ts';
import { sendHtml, sendText } from './send.ts';
import { renderSignInPage } from './sign-in-page.ts';

/** Lets operators in: people by their session, scripts by the token, and nobody who tries too many tokens. */
export class Gate {
  readonly access: OperatorAccess;
  readonly #attempts: FailedAttempts;

  constructor(access: OperatorAccess, attempts: FailedAttempts) {
    this.access = access;
    this.#attempts = attempts;
  }

  /** Whether a token is the right one; seconds to wait where this network has tried too many wrong ones. */
  tryToken(request: FastifyRequest, isRight: () => boolean): boolean | number {
    const network = networkOf(request.ip);
    const wait = this.#attempts.waitOf(network);
    if (wait > 0) return wait;
    if (isRight()) return true;
    this.#attempts.count(network);
    request.log.warn(`Somebody at ${network} was not let in to ${releasesPageAddress}: wrong operator token`);
    return false;
  }

  /** A handler for operators alone; anybody else gets the page to sign in, a script a line of text. */
  forOperators(answer: (request: FastifyRequest, reply: FastifyReply, operator: Operator) => FastifyReply) {
    return (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
      const { authorization } = request.headers;
      if (authorization === undefined) {
        const operator = operatorOf(request, this.access);
        if (operator) return answer(request, reply, operator);
        const problem = request.method === 'POST' ? 'You are not signed in any more. Nothing was changed.' : undefined;
        return sendHtml(reply.code(401).header('WWW-Authenticate', 'Bearer'), renderSignInPage(problem));
      }
      const letIn = this.tryToken(request, () => this.access.isAuthorization(authorization));
      if (typeof letIn === 'number') {
        return sendText(reply.code(429).header('Retry-After', letIn), [
          `Too many wrong operator tokens. Try again in ${letIn} seconds. Nothing was changed.`,
        ]);
      }
      const operator = letIn && operatorOf(request, this.access);
      if (operator) return answer(request, reply, operator);
      return sendText(reply.code(401).header('WWW-Authenticate', 'Bearer'), [
        'This is not the operator token. Nothing was changed.',
      ]);
    };
  }
}
