/** A span under way: the time that one piece of work takes, as part of a trace. */
export interface Span {
  /** W3C `traceparent` for what is done below it. */
  readonly traceparent: string;
  set(name: string, value: string | number): void;
  /** @param error what the work failed of */
  end(error?: unknown): void;
}

export type SpanKind = 'server' | 'client' | 'producer' | 'consumer';

export interface SpanOptions {
  kind: SpanKind;
  /** W3C `traceparent` of what asked for the work; without one a trace begins. */
  parent?: string | undefined;
  attributes?: Readonly<Record<string, string | number>>;
}

/** Makes spans; there is one only where traces are sent somewhere. */
export interface Tracer {
  start(name: string, options: SpanOptions): Span;
  /** Runs the work in a span of its own, which ends with it. */
  within<T>(name: string, options: SpanOptions, work: (span: Span) => Promise<T>): Promise<T>;
}

const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(?:-.*)?$/;

export interface TraceContext {
  traceId: string;
  spanId: string;
  flags: number;
}

/** Reads a W3C `traceparent`; of later versions the part that is the same. @returns `undefined` for anything else */
export function parseTraceparent(text: string | readonly string[] | undefined): TraceContext | undefined {
  const [whole, traceId = '', spanId = '', flags = ''] = (typeof text === 'string' ? TRACEPARENT.exec(text) : null) ?? [];
  return whole === undefined ? undefined : { traceId, spanId, flags: Number.parseInt(flags, 16) };
}

/** As version 00: nothing but hexadecimal digits and hyphens. */
export function formatTraceparent({ traceId, spanId, flags }: TraceContext): string {
  return `00-${traceId}-${spanId}-${(flags & 0xff).toString(16).padStart(2, '0')}`;
}
