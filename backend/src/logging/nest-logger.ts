import type { LoggerService } from '@nestjs/common';
import type { FastifyBaseLogger } from 'fastify';
import { requestContext } from './request-context.ts';

type Level = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace';

/** Parts of Nest that tell of each module and route at start. */
const talkative = new Set(['NestFactory', 'InstanceLoader', 'RoutesResolver', 'RouterExplorer', 'NestApplication']);

/** What Nest's loggers are told goes to the server's log, with the id of the request that it is about. */
export class NestLogger implements LoggerService {
  constructor(private readonly serverLog: FastifyBaseLogger) {}

  log = (message: unknown, ...rest: unknown[]) => this.write('info', message, rest);
  fatal = (message: unknown, ...rest: unknown[]) => this.write('fatal', message, rest);
  error = (message: unknown, ...rest: unknown[]) => this.write('error', message, rest);
  warn = (message: unknown, ...rest: unknown[]) => this.write('warn', message, rest);
  debug = (message: unknown, ...rest: unknown[]) => this.write('debug', message, rest);
  verbose = (message: unknown, ...rest: unknown[]) => this.write('trace', message, rest);

  /** Nest gives the logger's name last, and before it, of an error, the stack. */
  private write(level: Level, message: unknown, rest: readonly unknown[]): void {
    const context = rest.at(-1);
    const stack = rest.length > 1 ? rest[0] : undefined;
    const fields = {
      ...(typeof context === 'string' ? { context } : {}),
      ...(typeof stack === 'string' ? { err: Object.assign(new Error(String(message)), { stack }) } : {}),
      ...(message instanceof Error ? { err: message } : {}),
    };
    const text = message instanceof Error ? message.message : String(message);
    const log = requestContext()?.log ?? this.serverLog;
    log[level === 'info' && talkative.has(String(context)) ? 'debug' : level](fields, text);
  }
}
