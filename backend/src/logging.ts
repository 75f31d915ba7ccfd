import { AsyncLocalStorage } from 'node:async_hooks';
import type { LoggerService } from '@nestjs/common';
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify';

/** The logger of the request that the running code works for: its lines carry the request's id. */
const requestLog = new AsyncLocalStorage<FastifyBaseLogger>();

/** Lets everything that a request causes log with the request's id. */
export function keepRequestContext(server: FastifyInstance): void {
  const enter = (request: FastifyRequest, _reply: unknown, done: () => void) => requestLog.run(request.log, done);
  server.addHook('onRequest', enter);
  // A body is read on behalf of its connection, which belongs to no request.
  server.addHook('preValidation', enter);
}

type Level = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace';

/** Parts of Nest that log each module and route at start. */
const talkative = new Set(['NestFactory', 'InstanceLoader', 'RoutesResolver', 'RouterExplorer', 'NestApplication']);

/** Writes what Nest's loggers log to the server's log, with the id of the request. */
export class NestLogger implements LoggerService {
  constructor(private readonly serverLog: FastifyBaseLogger) {}

  log = (message: unknown, ...rest: unknown[]) => this.write('info', message, rest);
  fatal = (message: unknown, ...rest: unknown[]) => this.write('fatal', message, rest);
  error = (message: unknown, ...rest: unknown[]) => this.write('error', message, rest);
  warn = (message: unknown, ...rest: unknown[]) => this.write('warn', message, rest);
  debug = (message: unknown, ...rest: unknown[]) => this.write('debug', message, rest);
  verbose = (message: unknown, ...rest: unknown[]) => this.write('trace', message, rest);

  /** Nest passes the logger's name last, and before it, of an error, the stack. */
  private write(level: Level, message: unknown, rest: readonly unknown[]): void {
    const context = rest.at(-1);
    const stack = rest.length > 1 ? rest[0] : undefined;
    const fields = {
      ...(typeof context === 'string' ? { context } : {}),
      ...(typeof stack === 'string' ? { err: Object.assign(new Error(String(message)), { stack }) } : {}),
      ...(message instanceof Error ? { err: message } : {}),
    };
    const text = message instanceof Error ? message.message : String(message);
    const log = requestLog.getStore() ?? this.serverLog;
    log[level === 'info' && talkative.has(String(context)) ? 'debug' : level](fields, text);
  }
}
