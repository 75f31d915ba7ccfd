import { Tracing } from '@daybook/contract/server';
import { ROOT_CONTEXT, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';

/** A collector gets this long, in ms, to take a batch; a server that stops waits no longer. */
const exportLimit = 2_000;

/** Sends spans in batches to the collector at an OTLP/HTTP endpoint. */
export function openTelemetry(endpoint: string, version: string): Tracing {
  const url = `${endpoint.replace(/\/$/, '')}/v1/traces`;
  const exporter = new OTLPTraceExporter({ url, timeoutMillis: exportLimit });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'daybook-shell', 'service.version': version }),
    spanProcessors: [new BatchSpanProcessor({ exporter, exportTimeoutMillis: exportLimit })],
  });
  return new Tracing({
    tracer: provider.getTracer('daybook'),
    noParent: ROOT_CONTEXT,
    withParent: (parent) => trace.setSpanContext(ROOT_CONTEXT, parent),
    shutdown: () => provider.shutdown(),
  });
}
