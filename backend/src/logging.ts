import type { LoggerService } from '@nestjs/common';
import type { FastifyBaseLogger } from 'fastify';

type Level = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace';

/** Nest's loggers that log each module and route at startup; logged at level debug. */
const verbose = new Set(['NestFactory', 'InstanceLoader', 'RoutesResolver', 'RouterExplorer', 'NestApplication']);

/** Forwards Nest's log messages to the server's log: startup and background work. */
export class NestLogger implements LoggerService {
  constructor(private readonly serverLog: FastifyBaseLogger) {}

  log = (message: unknown, ...rest: unknown[]) => this.write('info', message, rest);
  fatal = (message: unknown, ...rest: unknown[]) => this.write('fatal', message, rest);
  error = (message: unknown, ...rest: unknown[]) => this.write('error', message, rest);
  warn = (message: unknown, ...rest: unknown[]) => this.write('warn', message, rest);
  debug = (message: unknown, ...rest: unknown[]) => this.write('debug', message, rest);
  verbose = (message: unknown, ...rest: unknown[]) => this.write('trace', message, rest);

  /** Nest passes the logger's name last. */
  private write(level: Level, message: unknown, rest: readonly unknown[]): void {
    const context = String(rest.at(-1));
    const log = this.serverLog[level === 'info' && verbose.has(context) ? 'debug' : level].bind(this.serverLog);
    if (message instanceof Error) log({ context, err: message }, message.message);
    else log({ context }, String(message));
  }
}
