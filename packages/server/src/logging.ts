import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance } from 'fastify';
import pino from 'pino';
import type { PrettyOptions } from 'pino-pretty';
import { escapeControls } from './printable.ts';

/**
 * Matches only at the start of a run of such characters, in linear time. A `%` is part of a host, but for `%40`. A release is no
 * email: mf-legal@1.0.0-3f9ac2d10b7e.
 */
const email =
  /(?<![\p{L}\p{M}\p{N}_.!#$%&'*+=?^`{|}~-])[\p{L}\p{M}\p{N}_.!#$%&'*+=?^`{|}~-]+(?:@|%40)(?!\d+\.\d+\.\d+-[\da-f]{12}(?![\w.-]))(?:(?:[\p{L}\p{M}\p{N}_-]|%(?!40))+(?:\.(?:[\p{L}\p{M}\p{N}_-]|%(?!40))+)*|\[[\w:.]+\])/gu;

export function withoutEmails(text: string): string {
  if (!text.includes('@') && !text.includes('%40')) return text;
  return text.replace(email, '[address]');
}

/** What JSON escapes, except in texts of several lines; matches every other escape as a whole. */
const escaped = /\\(?:u[\dA-Fa-f]{4}|[bfr])|\\./g;

/** Returns a line of the log for pino-pretty, which would write what JSON escapes to the terminal raw. */
export const forTerminal = (line: string): string =>
  line.replace(escaped, (found) => (/^\\[ubfr]/.test(found) ? '\ufffd' : found));

export const logLevels = ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const;
type LogLevel = (typeof logLevels)[number];

export interface LogOptions {
  readonly service: string;
  readonly level: LogLevel;
}

/** In a terminal: time of day, level, server, message, request id, and the stack of an error below. */
const prettyOptions: PrettyOptions = {
  translateTime: 'SYS:HH:MM:ss.l',
  messageFormat: '{service} {msg} {requestId}',
  ignore: 'service,requestId,context,method,route,status,duration,code',
};

/**
 * Returns the options of Fastify's logger: one JSON object per line, without emails and characters that control a terminal.
 * Lines of the same 100 ms are written together, and the rest when the process ends; SIGKILL loses it.
 */
export function logOptions({ service, level }: LogOptions) {
  return {
    level,
    base: { service },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { err: errorFields, req: () => ({}), res: () => ({}) },
    hooks: {
      streamWrite: (line: string) => {
        const safe = escapeControls(withoutEmails(line));
        return process.stdout.isTTY ? forTerminal(safe) : safe;
      },
    },
    ...(process.stdout.isTTY
      ? { transport: { target: 'pino-pretty', options: prettyOptions } }
      : { stream: pino.destination({ dest: 1, sync: false, minLength: 8_192, periodicFlush: 100 }) }),
  };
}

const cut = (text: string, max: number) => (text.length > max ? `${text.slice(0, max)}…` : text);

/** Omits other properties of an error, such as a query's parameters. */
function errorFields(error: Error) {
  const code = 'code' in error ? { code: String(error.code) } : {};
  return { type: error.name, message: cut(error.message, 1_000), ...code, stack: cut(error.stack ?? '', 8_000) };
}

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

export const requestIdHeader = 'x-request-id';

/**
 * Sets the request id on each response, and logs writes at level `info`, others at `debug`. A line contains the pattern of
 * the route: the URL may contain an email.
 *
 * @param isCounted returns whether requests to a URL are counted elsewhere, and logged only at `debug`
 */
export function registerAccessLog(app: FastifyInstance, isCounted: (url: string) => boolean = () => false): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header(requestIdHeader, request.id);
    done();
  });
  app.addHook('onResponse', (request, { statusCode, elapsedTime }, done) => {
    const { method, url, routeOptions } = request;
    const route = routeOptions.url ?? 'unknown';
    const duration = Math.round(elapsedTime * 10) / 10;
    const fields = { method, route, status: statusCode, duration };
    const message = `${method} ${route} ${statusCode} in ${duration} ms`;
    if (safeMethods.has(method) || isCounted(url)) request.log.debug(fields, message);
    else request.log.info(fields, message);
    done();
  });
}

const requestIdPattern = /^[\w.:-]{1,64}$/;

/** Returns the id of a request: the trusted reverse proxy's, unless it is malformed, otherwise a new one. */
export function requestIdOf(headers: IncomingHttpHeaders, isTrusted: boolean): string {
  const received = headers[requestIdHeader];
  return isTrusted && typeof received === 'string' && requestIdPattern.test(received) ? received : randomUUID();
}
