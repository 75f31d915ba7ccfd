/** Where a span stands: its trace and its own id, as W3C Trace Context has them. */
interface SpanContext {
  readonly traceId: string;
  readonly spanId: string;
  readonly traceFlags: number;
}

interface Span {
  spanContext(): SpanContext;
  setAttributes(attributes: Readonly<Record<string, string | number>>): unknown;
  setStatus(status: { readonly code: number }): unknown;
  end(): void;
}

/** What of the OpenTelemetry libraries is used: they are loaded where traces are wanted, see `open-telemetry.ts`. */
export interface TracingLibraries<Context> {
  readonly tracer: {
    startSpan(
      name: string,
      options: {
        readonly kind: number;
        readonly startTime?: number;
        readonly attributes?: Readonly<Record<string, string | number>>;
      },
      parent: Context,
    ): Span;
  };
  readonly noParent: Context;
  withParent(parent: SpanContext & { readonly isRemote: boolean }): Context;
  /** Sends what is left, and ends. */
  shutdown(): Promise<void>;
}

/** OpenTelemetry's numbers. */
const [serverKind, clientKind] = [1, 2];
const failedStatus = 2;

export const traceparentHeader = 'traceparent';

const traceparentPattern = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

function parseTraceparent(header: unknown): SpanContext | undefined {
  const [, traceId, spanId, flags] = traceparentPattern.exec(String(header)) ?? [];
  if (!traceId || !spanId || !flags || /^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) };
}

/** The time from the arrival of a request to its answer, as a part of a trace. */
export class RequestSpan {
  readonly #span: Span;

  constructor(span: Span) {
    this.#span = span;
  }

  get context(): SpanContext {
    return this.#span.spanContext();
  }

  /** What the next server has to be told, as the header `traceparent`. */
  get traceparent(): string {
    const { traceId, spanId, traceFlags } = this.context;
    return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
  }

  end(status: number): void {
    this.#span.setAttributes({ 'http.response.status_code': status });
    if (status >= 500) this.#span.setStatus({ code: failedStatus });
    this.#span.end();
  }
}

export interface TracedRequest {
  readonly id: string;
  readonly method: string;
  /** The pattern of the route; never the address, which may hold somebody's e-mail. */
  readonly route: string;
  readonly headers: Readonly<Record<string, unknown>>;
}

/** Spans of requests and of what they wait for. */
export class Tracing<Context = unknown> {
  readonly #libraries: TracingLibraries<Context>;

  constructor(libraries: TracingLibraries<Context>) {
    this.#libraries = libraries;
  }

  /** Begins the span of a request, in the trace of whoever sent it. */
  startRequest({ id, method, route, headers }: TracedRequest): RequestSpan {
    const { tracer, noParent, withParent } = this.#libraries;
    const parent = parseTraceparent(headers[traceparentHeader]);
    const attributes = { 'http.request.method': method, 'http.route': route, 'daybook.request_id': id };
    const context = parent ? withParent({ ...parent, isRemote: true }) : noParent;
    return new RequestSpan(tracer.startSpan(`${method} ${route}`, { kind: serverKind, attributes }, context));
  }

  /**
   * Tells of a query that a request has waited for until now.
   *
   * @param text the statement without its values
   * @param duration in ms
   */
  recordQuery(request: RequestSpan, text: string, duration: number, hasFailed: boolean): void {
    const { tracer, withParent } = this.#libraries;
    const [operation = 'query'] = /\w+/.exec(text) ?? [];
    const attributes = { 'db.system.name': 'postgresql', 'db.operation.name': operation, 'db.query.text': text.trim() };
    const options = { kind: clientKind, startTime: Date.now() - duration, attributes };
    const span = tracer.startSpan(operation, options, withParent({ ...request.context, isRemote: false }));
    if (hasFailed) span.setStatus({ code: failedStatus });
    span.end();
  }

  async stop(): Promise<void> {
    // A collector that is gone does not keep a server from stopping in order.
    await this.#libraries.shutdown().catch(() => undefined);
  }
}
