import type { LoggerService } from '@nestjs/common';
import type { FastifyBaseLogger } from 'fastify';

/** Nest's loggers that log each module and route at startup; logged at level debug. */
const verbose = new Set(['NestFactory', 'InstanceLoader', 'RoutesResolver', 'RouterExplorer', 'NestApplication']);

/** Forwards Nest's log messages to the server's log. Nest passes the logger's name last. */
export function nestLogger(log: FastifyBaseLogger): LoggerService {
  const write =
    (level: 'error' | 'warn' | 'info' | 'debug') =>
    (message: unknown, ...rest: unknown[]) => {
      const context = String(rest.at(-1));
      const error = message instanceof Error ? { err: message } : {};
      log[level === 'info' && verbose.has(context) ? 'debug' : level]({ context, ...error }, String(message));
    };
  return { error: write('error'), warn: write('warn'), log: write('info'), debug: write('debug') };
}
