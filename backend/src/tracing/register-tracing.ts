import { createRequire } from 'node:module';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DataSource } from 'typeorm';
import { traceRequests } from './trace-requests.ts';

const { version } = createRequire(import.meta.url)('../../package.json') as { version: string };

/** Sends traces to the collector at an endpoint; without one, nothing of OpenTelemetry is loaded. */
export async function registerTracing(app: NestFastifyApplication, endpoint: string | undefined): Promise<void> {
  if (endpoint === undefined) return;
  const { openTelemetry } = await import('@daybook/server/open-telemetry');
  const tracing = openTelemetry(endpoint, { name: 'daybook-backend', version });
  traceRequests(app.getHttpAdapter().getInstance(), app.get(DataSource), tracing);
}
