import { ManifestError } from '@daybook/contract/manifest';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import type * as z from 'zod';
import { StoreError } from '../releases/store.ts';

export class ReleasesError extends Error {
  override readonly name = 'ReleasesError';
  readonly statusCode: number;
  readonly errors: readonly string[];
  readonly retryAfter: number | undefined;

  constructor(statusCode: number, errors: string | readonly string[], retryAfter?: number) {
    const all = typeof errors === 'string' ? [errors] : errors;
    super(all.join('\n'));
    this.statusCode = statusCode;
    this.errors = all;
    this.retryAfter = retryAfter;
  }
}

/** An unexpected failure is logged and not explained. */
export function sendError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const known = error instanceof ReleasesError ? error : undefined;
  const statusCode =
    error instanceof ManifestError ? 422 : error instanceof StoreError ? 503 : (error.statusCode ?? 500);
  if (statusCode >= 500) {
    const fields = { route: request.routeOptions.url, status: statusCode, err: error };
    request.log.error(fields, error.message);
  } else if (statusCode === 422) request.log.warn({ route: request.routeOptions.url }, `Rejected: ${error.message}`);
  if (statusCode === 401) reply.header('WWW-Authenticate', 'Bearer');
  if (known?.retryAfter !== undefined) reply.header('Retry-After', known.retryAfter);
  const isShown = statusCode < 500 || error instanceof StoreError;
  const message = isShown
    ? error.message
    : 'Something went wrong on our side. Check what visitors get, then try again.';
  const errors = known?.errors ?? (error instanceof ManifestError ? error.errors : [message]);
  return reply.code(statusCode).send({ statusCode, message, errors });
}

export function parse<Schema extends z.ZodType>(schema: Schema, value: unknown): z.infer<Schema> {
  const { data, error } = schema.safeParse(value);
  if (error) {
    const issues = error.issues.map(({ path, message }) => [path.join('.'), message].filter(Boolean).join(': '));
    throw new ReleasesError(
      400,
      issues.map((issue) => `${issue}.`),
    );
  }
  return data;
}
