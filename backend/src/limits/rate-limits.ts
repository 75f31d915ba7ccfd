import { type ApiCall, makePrivacyRequest, normalizeEmailAddress, waitlistCalls } from '@daybook/contract/api';
import { customerNetworkOf, networkOf } from '@daybook/server';
import type { RateLimitOptions } from '@fastify/rate-limit';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Environment } from '../environment.ts';
import { TooManyRequestsError } from '../errors.ts';
import type { Metrics } from '../metrics.ts';

/** In ms; starts with the first request of a network or address, and ends with all its counts. */
const window = 60_000;

/**
 * Max networks or addresses that each limit counts; bounds the memory. Beyond, the least recently seen one is forgotten,
 * so that a flood from very many networks gets nobody else rejected.
 */
const maxCounted = 25_000;

/**
 * Limit of a customer's whole IPv6 network (/48), in limits of a /64: without it, one customer could use up the limit
 * for everybody with 65,536 networks of the size /64.
 */
const customerShare = 4;

type LimitVariable = Extract<keyof Environment, `LIMIT_${string}`>;

/** Returns the metric label of a limit, such as `network_writes`. */
const labelOf = (variable: LimitVariable) => variable.replace('LIMIT_', '').toLowerCase();

const { signUp, sendEmergencyNotice, findByEmail } = waitlistCalls;

/** The calls that create rows; all other writes need the id of an existing row. */
const creatingCalls = [signUp, sendEmergencyNotice, makePrivacyRequest] as const;

const isCallOf = ({ method, routeOptions }: FastifyRequest, call: ApiCall) =>
  method === call.method && routeOptions.url === call.path;

/** Returns the address in a validated body, in lower case, because nearly every mail server ignores case. */
const addressIn = ({ body }: FastifyRequest) =>
  normalizeEmailAddress((body as { readonly email: string }).email).toLowerCase();

const known = new WeakMap<FastifyRequest, Readonly<Record<'network' | 'customer', string>>>();

/** Returns the networks of a request's client; parses its address once, which takes longer than to count a request. */
function networksOf(request: FastifyRequest) {
  const { ip } = request;
  const networks = known.get(request) ?? { network: networkOf(ip), customer: customerNetworkOf(ip) };
  known.set(request, networks);
  return networks;
}

/** Throws if a request exceeds a limit; otherwise counts it. */
type Limit = (request: FastifyRequest) => Promise<void>;

/**
 * Rejects requests above a rate limit with `TooManyRequestsError`. Requests are counted by network before their body is
 * read, and by address and in total when they are valid: invalid ones cost little and use up nobody else's limit. A
 * request that is rejected does not count for the limits after it.
 *
 * Counts are this process's own: with two backends, each network can send twice as many.
 *
 * @param server with the plugin `@fastify/rate-limit`
 */
export function registerRateLimits(
  server: FastifyInstance,
  environment: Readonly<Record<LimitVariable, number>>,
  { rateLimitHits }: Metrics,
): void {
  const limit = (variable: LimitVariable, keyGenerator: (request: FastifyRequest) => string, share = 1): Limit => {
    const options: RateLimitOptions = {
      max: environment[variable] * share,
      timeWindow: window,
      cache: maxCounted,
      keyGenerator,
    };
    const check = server.createRateLimit(options);
    return async (request) => {
      const result = await check(request);
      if (result.isAllowed || !result.isExceeded) return;
      rateLimitHits.inc({ limit: labelOf(variable) });
      throw new TooManyRequestsError(Math.max(1, result.ttlInSeconds));
    };
  };
  const byNetwork = (variable: LimitVariable): Limit => {
    const ofNetwork = limit(variable, (request) => networksOf(request).network);
    const ofCustomer = limit(variable, (request) => networksOf(request).customer, customerShare);
    return async (request) => {
      const { network, customer } = networksOf(request);
      await ofNetwork(request);
      // An IPv4 address is both.
      if (customer !== network) await ofCustomer(request);
    };
  };
  const writes = byNetwork('LIMIT_NETWORK_WRITES');
  const lookups = byNetwork('LIMIT_NETWORK_LOOKUPS');
  const signups = byNetwork('LIMIT_NETWORK_SIGNUPS');
  const privacyRequests = byNetwork('LIMIT_NETWORK_PRIVACY_REQUESTS');
  const ofAddress = limit('LIMIT_ADDRESS_SIGNUPS', addressIn);
  const ofEverybody = limit('LIMIT_GLOBAL_SIGNUPS', ({ routeOptions }) => routeOptions.url ?? '');

  server.addHook('onRequest', async (request) => {
    const { method, routeOptions } = request;
    if (method !== 'GET' && method !== 'HEAD' && method !== 'OPTIONS') await writes(request);
    if (routeOptions.url === findByEmail.path) await lookups(request);
    if (isCallOf(request, signUp) || isCallOf(request, sendEmergencyNotice)) await signups(request);
    if (isCallOf(request, makePrivacyRequest)) await privacyRequests(request);
  });

  server.addHook('preHandler', async (request) => {
    const call = creatingCalls.find((each) => isCallOf(request, each));
    // The handler rejects invalid requests with the reasons. Parsing twice costs microseconds, and no handler can
    // forget the limits.
    if (!call?.body.safeParse(request.body).success) return;
    // Privacy requests by address are counted where they are stored: for a day, and by all backends.
    if (call !== makePrivacyRequest) await ofAddress(request);
    await ofEverybody(request);
  });
}
