import { type ApiCall, makePrivacyRequest, waitlistCalls } from '@daybook/contract/api';
import { customerNetworkOf, networkOf } from '@daybook/server';
import type { RateLimitOptions } from '@fastify/rate-limit';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Environment } from '../environment.ts';
import { TooManyRequestsError } from '../errors.ts';
import { parseBody } from '../http/index.ts';
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

/** Throws if the limit of a key is exceeded; otherwise counts it. */
type Limit = (key: string) => Promise<void>;

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
  const limit = (variable: LimitVariable, share = 1): Limit => {
    const options: RateLimitOptions = {
      max: environment[variable] * share,
      timeWindow: window,
      cache: maxCounted,
      keyGenerator: ({ id }) => id,
    };
    const check = server.createRateLimit(options);
    return async (key) => {
      // The plugin reads nothing else of a request. The callers parse the client's address once for all limits.
      const result = await check({ id: key, routeOptions: {} } as FastifyRequest);
      if (result.isAllowed || !result.isExceeded) return;
      rateLimitHits.inc({ limit: labelOf(variable) });
      throw new TooManyRequestsError(Math.max(1, result.ttlInSeconds));
    };
  };
  const byNetwork = (variable: LimitVariable) => {
    const [ofNetwork, ofCustomer] = [limit(variable), limit(variable, customerShare)];
    return async (network: string, customer: string) => {
      await ofNetwork(network);
      // An IPv4 address is both.
      if (customer !== network) await ofCustomer(customer);
    };
  };
  const writes = byNetwork('LIMIT_NETWORK_WRITES');
  const lookups = byNetwork('LIMIT_NETWORK_LOOKUPS');
  const signups = byNetwork('LIMIT_NETWORK_SIGNUPS');
  const privacyRequests = byNetwork('LIMIT_NETWORK_PRIVACY_REQUESTS');
  const ofAddress = limit('LIMIT_ADDRESS_SIGNUPS');
  const ofEverybody = limit('LIMIT_GLOBAL_SIGNUPS');

  server.addHook('onRequest', async (request) => {
    const { ip, method, routeOptions } = request;
    const networks = [networkOf(ip), customerNetworkOf(ip)] as const;
    if (method !== 'GET' && method !== 'HEAD' && method !== 'OPTIONS') await writes(...networks);
    if (routeOptions.url === findByEmail.path) await lookups(...networks);
    if (isCallOf(request, signUp) || isCallOf(request, sendEmergencyNotice)) await signups(...networks);
    if (isCallOf(request, makePrivacyRequest)) await privacyRequests(...networks);
  });

  server.addHook('preHandler', async (request) => {
    const call = creatingCalls.find((each) => isCallOf(request, each));
    if (!call) return;
    const { data } = parseBody(request.body, call.body);
    // The handler rejects invalid requests with the reasons.
    if (!data) return;
    // In lower case, because nearly every mail server ignores case. Privacy requests by address are counted where they
    // are stored: for a day, and by all backends.
    if (call !== makePrivacyRequest) await ofAddress(data.email.toLowerCase());
    await ofEverybody(call.path);
  });
}
