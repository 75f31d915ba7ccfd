import { type Registry, reportNonceName } from '@daybook/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { CanaryAnalysis } from '../outcomes/canary-analysis.ts';
import type { ReportNonce } from '../outcomes/report-nonces.ts';
import type { SiteReleases } from '../releases/site-releases.ts';
import { bucketOf } from './visitor-bucket.ts';

export interface VisitorRegistry {
  readonly registry: Registry;
  /** Lets this visitor's views and failures count for and against a canary; only while one runs. */
  readonly nonce?: ReportNonce;
}

/**
 * Returns the registry for this visitor, and sets the headers that keep a shared cache from giving it to another. While
 * a canary runs, the response carries a nonce for reports: as a `Server-Timing`, the one header that a page's scripts can read.
 */
export function registryFor(
  request: FastifyRequest,
  reply: FastifyReply,
  releases: SiteReleases,
  analysis: CanaryAnalysis,
): VisitorRegistry {
  if (!releases.hasCanary()) {
    reply.headers({ 'Cache-Control': 'no-cache', Vary: 'Accept-Encoding' });
    return { registry: releases.registry() };
  }
  const registry = releases.registry(bucketOf(request, reply));
  const compared = registry.remotes.filter(({ name }) => analysis.isRunning(name));
  const { nonce, text } = analysis.nonces.issue(
    request.ip,
    compared.map(({ name, version }) => `${name}@${version}`),
  );
  reply.headers({
    'Cache-Control': 'private, no-cache',
    Vary: 'Accept-Encoding, Cookie',
    'Server-Timing': `${reportNonceName};desc="${text}"`,
  });
  return { registry, nonce };
}
