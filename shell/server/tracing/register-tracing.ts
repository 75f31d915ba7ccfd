import type { FastifyInstance } from 'fastify';
import { traceRequests } from './trace-requests.ts';

/**
 * Sends traces to the collector at an endpoint; without one, nothing of OpenTelemetry is loaded.
 *
 * @param version that of the shell's build
 */
export async function registerTracing(
  app: FastifyInstance,
  endpoint: string | undefined,
  version: string,
): Promise<void> {
  if (endpoint === undefined) return;
  const { openTelemetry } = await import('@daybook/server/open-telemetry');
  traceRequests(app, openTelemetry(endpoint, { name: 'daybook-shell', version }));
}
