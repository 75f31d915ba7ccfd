import { ReleaseRejection } from '@daybook/releases';
import { ConflictError, DeploymentError, diskProblem, RegistryError } from '@daybook/releases/server';
import { logErrorResponse } from '@daybook/server';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import type * as z from 'zod';
import { RequestError } from '../request-error.ts';

function statusOf(error: FastifyError): number {
  if (error instanceof ConflictError) return 409;
  if (error instanceof ReleaseRejection || error instanceof DeploymentError) return 422;
  if (error instanceof RegistryError) return 503;
  return error.statusCode ?? (diskProblem(error) ? 507 : 500);
}

/**
 * Responds with what went wrong. An unexpected failure is not explained, since strangers may read it, and the response does not
 * state that nothing was changed, since something may be.
 */
export function sendError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const statusCode = statusOf(error);
  if (statusCode >= 500)
    logErrorResponse(
      request,
      'error',
      { route: request.routeOptions.url, status: statusCode, err: error },
      error.message,
    );
  if (statusCode === 401) reply.header('WWW-Authenticate', 'Bearer');
  if (error instanceof RequestError && error.retryAfter !== undefined) reply.header('Retry-After', error.retryAfter);
  const isShown = statusCode < 500 || error instanceof RegistryError;
  const failed =
    statusCode === 507
      ? `This server can't take releases; tell the operators of the site: ${diskProblem(error)}.`
      : 'Something went wrong on our side. Check what visitors get, then try again.';
  const message = isShown ? error.message : failed;
  const errors = error instanceof ReleaseRejection ? { errors: error.errors } : {};
  return reply.code(statusCode).send({ statusCode, error: isShown ? error.name : 'Error', message, ...errors });
}

/** @throws RequestError with every issue */
export function parse<Schema extends z.ZodType>(schema: Schema, value: unknown): z.infer<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.map(({ path, message }) => [path.join('.'), message].filter(Boolean).join(': '));
  throw new RequestError(400, issues.join('; '));
}

/** @throws RequestError */
export function parseJson(body: unknown): unknown {
  try {
    return JSON.parse(String(body));
  } catch {
    throw new RequestError(400, 'The body has to be JSON.');
  }
}
