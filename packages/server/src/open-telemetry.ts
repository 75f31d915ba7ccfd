import { ROOT_CONTEXT, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { Tracing } from './tracing.ts';

/** A collector gets this long, in ms, to take a batch; a server that stops waits no longer. */
const exportLimit = 2_000;

/**
 * Sends spans in batches to the collector at an OTLP/HTTP endpoint.
 *
 * @param service what the spans are of: `daybook-shell` or `daybook-backend`, with its version
 */
export function openTelemetry(endpoint: string, service: { readonly name: string; readonly version: string }): Tracing {
  const url = `${endpoint.replace(/\/$/, '')}/v1/traces`;
  const exporter = new OTLPTraceExporter({ url, timeoutMillis: exportLimit });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': service.name, 'service.version': service.version }),
    spanProcessors: [new BatchSpanProcessor({ exporter, exportTimeoutMillis: exportLimit })],
  });
  return new Tracing({
    tracer: provider.getTracer('daybook'),
    noParent: ROOT_CONTEXT,
    withParent: (parent) => trace.setSpanContext(ROOT_CONTEXT, parent),
    shutdown: () => provider.shutdown(),
  });
}
