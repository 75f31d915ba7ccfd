import type { Registry } from '@daybook/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { SiteReleases } from '../releases/site-releases.ts';
import { bucketOf } from './visitor-bucket.ts';

/** The registry for this visitor, with the headers that keep a shared cache from giving it to another. */
export function registryFor(request: FastifyRequest, reply: FastifyReply, releases: SiteReleases): Registry {
  const canary = releases.hasCanary();
  reply
    .header('Cache-Control', canary ? 'private, no-cache' : 'no-cache')
    .header('Vary', canary ? 'Accept-Encoding, Cookie' : 'Accept-Encoding');
  return releases.registry(canary ? bucketOf(request, reply) : undefined);
}
