import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, type Context, type Span as OtlpSpan } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { formatTraceparent, parseTraceparent, type Span, type SpanOptions, type Tracer } from '@sinebar/contracts';
import { PRODUCT_VERSION } from '../product-version.ts';

export interface OtlpOptions {
  endpoint: string;
  serviceName: string;
  /** Empty for the only plant. */
  plant: string;
}

/**
 * Creates a tracer that exports spans. Loaded only with an endpoint, since OpenTelemetry is large. Headers, sampling and batches are read
 * from the `OTEL_…` variables.
 */
export function createOtlpTracer({ endpoint, serviceName, plant }: OtlpOptions): { tracer: Tracer; close: () => Promise<void> } {
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({
      'service.name': serviceName,
      'service.version': PRODUCT_VERSION,
      ...(plant !== '' && { 'sinebar.plant': plant }),
    }),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter({ url: `${endpoint.replace(/\/+$/, '')}/v1/traces` }))],
  });
  const source = provider.getTracer('sinebar', PRODUCT_VERSION);
  const tracer: Tracer = {
    start: (name, { kind, parent, attributes }) =>
      wrapped(source.startSpan(name, { kind: KINDS[kind], ...(attributes && { attributes }) }, contextOf(parent))),
    within: async (name, options, work) => {
      const span = tracer.start(name, options);
      try {
        const result = await work(span);
        span.end();
        return result;
      } catch (error) {
        span.end(error);
        throw error;
      }
    },
  };
  return { tracer, close: () => provider.shutdown() };
}

const KINDS: Record<SpanOptions['kind'], SpanKind> = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
};

function contextOf(parent: string | undefined): Context {
  const known = parseTraceparent(parent);
  if (!known) return ROOT_CONTEXT;
  const { traceId, spanId, flags } = known;
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags: flags, isRemote: true });
}

function wrapped(span: OtlpSpan): Span {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return {
    traceparent: formatTraceparent({ traceId, spanId, flags: traceFlags }),
    set: (name, value) => span.setAttribute(name, value),
    end: (error) => {
      if (error !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: error instanceof Error ? error.name : 'failed' });
      span.end();
    },
  };
}
