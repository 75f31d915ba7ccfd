import type { FastifyInstance } from 'fastify';
import type { TracedService } from './open-telemetry.ts';

/**
 * Sends traces of a server's requests and queries to the collector in `OTEL_EXPORTER_OTLP_ENDPOINT`; without it, no
 * OpenTelemetry code is loaded. Call it before the first hook and route, and before `pg` is loaded.
 *
 * @param endpoint the value of that variable; the exporter reads it and related variables from the environment itself
 */
export async function registerTracing(
  app: FastifyInstance,
  endpoint: string | undefined,
  service: TracedService,
): Promise<void> {
  if (endpoint === undefined) return;
  const { startTracing } = await import('./open-telemetry.ts');
  const { plugin, stop } = startTracing(service);
  await app.register(plugin);
  // An unreachable collector must not prevent a server from stopping.
  app.addHook('onClose', () => stop().catch(() => undefined));
}
