import { type ApiCall, makePrivacyRequest, normalizeEmailAddress, waitlistCalls } from '@daybook/contract';
import { networkOf } from '@daybook/server';
import type { ExecutionContext } from '@nestjs/common';
import type { ThrottlerOptions } from '@nestjs/throttler';
import type { FastifyRequest } from 'fastify';
import type { Environment } from '../environment.ts';
import { windowLength } from './sliding-counts.ts';

/** The calls that make rows; all others change one that is there, and need its id. */
const makingCalls: readonly ApiCall[] = [waitlistCalls.signUp, waitlistCalls.sendEmergencyNotice, makePrivacyRequest];

const isCall = ({ method, routeOptions }: FastifyRequest, call: ApiCall) =>
  method === call.method && routeOptions.url === call.path;
const isWrite = ({ method }: FastifyRequest) => method !== 'GET' && method !== 'HEAD' && method !== 'OPTIONS';
const makesRows = (request: FastifyRequest) => makingCalls.some((call) => isCall(request, call));
const isLookup = ({ routeOptions }: FastifyRequest) => routeOptions.url === waitlistCalls.findByEmail.path;

/**
 * Returns the address in a body that has not been checked yet, in lower case: nearly every mail server takes all
 * spellings for one mailbox. `undefined` where there is none that could be stored.
 */
function addressOf({ body }: FastifyRequest): string | undefined {
  if (typeof body !== 'object' || body === null || !('email' in body)) return undefined;
  return typeof body.email === 'string' && body.email.length <= 1024
    ? normalizeEmailAddress(body.email).toLowerCase()
    : undefined;
}

interface Limit {
  /** That of its variable without `LIMIT_`, in small letters: by it metrics tell which limit it was. */
  readonly name: string;
  readonly perMinute: number;
  readonly applies: (request: FastifyRequest) => boolean;
  readonly countedBy: (request: FastifyRequest) => string;
}

const network = ({ ip }: FastifyRequest) => networkOf(ip);

/** Where all signups together are more than this, the next ones need a proof of work. */
const globalLimit = 'global_signups';

/** In the order in which they are asked: what one refuses does not count for those after it. */
function limitsOf(environment: Environment): readonly Limit[] {
  return [
    {
      name: 'network_writes',
      perMinute: environment.LIMIT_NETWORK_WRITES,
      applies: isWrite,
      countedBy: network,
    },
    {
      name: 'network_signups',
      perMinute: environment.LIMIT_NETWORK_SIGNUPS,
      applies: makesRows,
      countedBy: network,
    },
    {
      name: 'network_lookups',
      perMinute: environment.LIMIT_NETWORK_LOOKUPS,
      applies: isLookup,
      countedBy: network,
    },
    {
      name: 'address_signups',
      perMinute: environment.LIMIT_ADDRESS_SIGNUPS,
      applies: (request) => makesRows(request) && addressOf(request) !== undefined,
      countedBy: (request) => addressOf(request) ?? '',
    },
    {
      name: globalLimit,
      perMinute: environment.LIMIT_GLOBAL_SIGNUPS,
      applies: makesRows,
      countedBy: ({ routeOptions }) => routeOptions.url ?? '',
    },
  ];
}

/** Whether a request may go beyond a limit by showing work. */
export const canShowWork = (limit: string, request: FastifyRequest): boolean =>
  limit === globalLimit && isCall(request, waitlistCalls.signUp);

export const requestOf = (context: ExecutionContext) => context.switchToHttp().getRequest<FastifyRequest>();

/** The limits as the throttler's guard takes them. */
export function throttlersOf(environment: Environment): ThrottlerOptions[] {
  return limitsOf(environment).map(({ name, perMinute, applies, countedBy }) => ({
    name,
    limit: perMinute,
    ttl: windowLength,
    skipIf: (context) => !applies(requestOf(context)),
    getTracker: (_request, context) => countedBy(requestOf(context)),
  }));
}
