import { FastifyOtelInstrumentation } from '@fastify/otel';
import { context, propagation, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { PgInstrumentation } from '@opentelemetry/instrumentation-pg';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, type ReadableSpan, TracerProvider } from '@opentelemetry/sdk-trace';
import { withoutEmails } from './logging.ts';

export interface TracedService {
  readonly name: 'daybook-shell' | 'daybook-backend';
  readonly version: string;
}

/** Timeout in ms for sending a batch to the collector; also the maximum delay of a stopping server. */
const exportTimeout = 2_000;

/** Files and health checks are not traced. */
const isIgnored = ({ url }: { readonly url: string }) =>
  /^\/(?:assets|remotes)\/|^\/(?:healthz|readyz|metrics)$/.test(url);

/** Redacts instrumentations' data in spans: an error's message may contain an email, an event the values. */
class RedactingProcessor extends BatchSpanProcessor {
  override onEnd(span: ReadableSpan): void {
    for (const [name, value] of Object.entries(span.attributes)) {
      if (typeof value === 'string') span.attributes[name] = withoutEmails(value);
    }
    if (span.status.message !== undefined) span.status.message = withoutEmails(span.status.message);
    span.events.length = 0;
    super.onEnd(span);
  }
}

/**
 * Starts OpenTelemetry for this process. ES modules need no loader hook: the Fastify plugin is registered, and `pg` is
 * CommonJS, patched when TypeORM requires it.
 *
 * @returns Fastify's plugin, and a function that sends the last spans
 */
export function startTracing({ name, version }: TracedService) {
  const service = resourceFromAttributes({ 'service.name': name, 'service.version': version });
  const exporter = new OTLPTraceExporter({ timeoutMillis: exportTimeout });
  const provider = new TracerProvider({
    resource: service.merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new RedactingProcessor({ exporter, exportTimeoutMillis: exportTimeout })],
  });
  trace.setGlobalTracerProvider(provider);
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  new PgInstrumentation({
    requireParentSpan: true,
    ignoreConnectSpans: true,
    // Instead of the name under which the statement is prepared.
    requestHook: (span, { query }) => span.updateName(/\w+/.exec(query.text)?.[0] ?? 'query'),
  });
  const fastify = new FastifyOtelInstrumentation({
    ignorePaths: isIgnored,
    instrumentHooks: false,
    recordExceptions: false,
    requestHook: (span, { id, method, routeOptions }) => {
      // Instead of the URL, whose query may contain an email.
      const route = routeOptions.url ?? 'unknown';
      span.updateName(`${method} ${route}`).setAttributes({ 'url.path': route, 'daybook.request_id': id });
    },
  });
  return { plugin: fastify.plugin(), stop: () => provider.shutdown() };
}
