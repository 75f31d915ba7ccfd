import { createHash } from 'node:crypto';
import { type Registry, registryAddress } from '@daybook/contract';
import type { FastifyInstance } from 'fastify';
import type { CanaryAnalysis } from '../outcomes/canary-analysis.ts';
import type { SiteReleases } from '../releases/site-releases.ts';
import { isKnown } from './etags.ts';
import { registryFor } from './visitor-registry.ts';

interface Answer {
  readonly body: string;
  readonly etag: string;
}

function answerWith(registry: Registry): Answer {
  const body = JSON.stringify(registry);
  return { body, etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"` };
}

/** Answers pages that have been open for a while with the registry of this moment. */
export function registerRegistry(app: FastifyInstance, releases: SiteReleases, analysis: CanaryAnalysis): void {
  const answers = new WeakMap<Registry, Answer>();

  app.get(registryAddress, (request, reply) => {
    const { registry } = registryFor(request, reply, releases, analysis);
    const answer = answers.get(registry) ?? answerWith(registry);
    answers.set(registry, answer);
    reply.header('ETag', answer.etag);
    if (isKnown(answer.etag, request.headers['if-none-match'])) return reply.code(304).send();
    return reply.type('application/json; charset=utf-8').send(answer.body);
  });
}
