import { standardOutput } from './collected-lines.ts';
import { humanLine } from './human-line.ts';
import { withoutAddresses } from './without-addresses.ts';

export const logLevels = ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const;
export type LogLevel = (typeof logLevels)[number];

export interface LogOptions {
  /** The name by which the server's lines are told from those of others. */
  readonly service: string;
  readonly level: LogLevel;
  /** Whether a person reads along. */
  readonly isTerminal?: boolean;
}

/**
 * The options of Fastify's logger: a JSON object a line with time, level, service, msg and, of a request, requestId.
 * Whatever an error or a library puts into a line, no e-mail address leaves the process.
 */
export function logOptions({ service, level, isTerminal = process.stdout.isTTY }: LogOptions) {
  const written = isTerminal ? (line: string) => humanLine(withoutAddresses(line)) : withoutAddresses;
  return {
    level,
    base: { service },
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { err: describeError, req: () => ({}), res: () => ({}) },
    hooks: { streamWrite: written },
    stream: standardOutput,
  };
}

/** Name, message, code and stack; whatever else an error carries, such as a query's parameters, is left out. */
function describeError(error: Error) {
  const code = 'code' in error ? { code: String(error.code) } : {};
  return { type: error.name, message: error.message, ...code, stack: error.stack ?? '' };
}

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

export interface AnsweredRequest {
  readonly method: string;
  /** The pattern of the route; never the address, which may hold somebody's e-mail. */
  readonly route: string;
  readonly status: number;
  /** In ms. */
  readonly duration: number;
}

/**
 * The line for an answered request: those that change something are told, the others only to who debugs. Why a
 * request failed is told by a line of its own, at the level `error`.
 */
export function accessLine({ method, route, status, duration }: AnsweredRequest) {
  const rounded = Math.round(duration * 10) / 10;
  return {
    level: safeMethods.has(method) ? ('debug' as const) : ('info' as const),
    fields: { method, route, status, duration: rounded },
    message: `${method} ${route} ${status} in ${rounded} ms`,
  };
}
