import type { FastifyInstance } from 'fastify';
import type { TracedService } from './open-telemetry.ts';

/**
 * Sends traces of a server's requests and queries to the collector that `OTEL_EXPORTER_OTLP_ENDPOINT` names; without it,
 * no code of OpenTelemetry is loaded. Call it before the first hook and route, and before `pg` is loaded.
 *
 * @param endpoint what that variable has; the exporter reads it and its siblings from the environment by itself
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
  // A collector that is gone does not keep a server from stopping.
  app.addHook('onClose', () => stop().catch(() => undefined));
}
