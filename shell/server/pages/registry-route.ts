import { createHash } from 'node:crypto';
import { type Registry, registryAddress } from '@daybook/contract';
import type { FastifyInstance } from 'fastify';
import { isKnown } from './etags.ts';

/** Answers pages that have been open for a while with the registry of this moment. */
export function registerRegistry(app: FastifyInstance, current: () => Registry): void {
  app.get(registryAddress, (request, reply) => {
    const body = JSON.stringify(current());
    const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
    reply.header('Cache-Control', 'no-cache').header('ETag', etag);
    if (isKnown(etag, request.headers['if-none-match'])) return reply.code(304).send();
    return reply.type('application/json; charset=utf-8').send(body);
  });
}
