import type { Tracer } from '@sinebar/contracts';
import type { Logger } from '../logger.ts';
import type { ServerSettings } from '../settings/server-settings.ts';

export interface Tracing {
  /** Tracer; `undefined` without an endpoint for spans. */
  tracer: Tracer | undefined;
  close: () => Promise<void>;
}

/** Opens tracing to the OpenTelemetry endpoint of the settings; without one no OpenTelemetry module is loaded. */
export async function openTracing(
  { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_SERVICE_NAME: name, SINEBAR_PLANT: plant }: TracingSettings,
  service: string,
  log: Logger,
): Promise<Tracing> {
  if (endpoint === undefined) return { tracer: undefined, close: () => Promise.resolve() };
  const { createOtlpTracer } = await import('./otlp-tracer.ts');
  log.info({ endpoint: new URL(endpoint).origin }, 'spans are sent to OpenTelemetry');
  return createOtlpTracer({ endpoint, serviceName: name ?? `sinebar-${service}`, plant });
}

type TracingSettings = Pick<ServerSettings, 'OTEL_EXPORTER_OTLP_ENDPOINT' | 'OTEL_SERVICE_NAME' | 'SINEBAR_PLANT'>;
