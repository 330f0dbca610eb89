/** A running span: the time that one piece of work takes, as part of a trace. */
export interface Span {
  /** W3C `traceparent` of child spans. */
  readonly traceparent: string;
  set(name: string, value: string | number): void;
  /** @param error the failure of the work, if it failed */
  end(error?: unknown): void;
}

export type SpanKind = 'server' | 'client' | 'producer' | 'consumer';

export interface SpanOptions {
  kind: SpanKind;
  /** W3C `traceparent` of the caller; without one a new trace begins. */
  parent?: string | undefined;
  attributes?: Readonly<Record<string, string | number>>;
}

/** Creates spans; exists only where traces are exported. */
export interface Tracer {
  start(name: string, options: SpanOptions): Span;
  /** Runs the work in a new span, which ends with it. */
  within<T>(name: string, options: SpanOptions, work: (span: Span) => Promise<T>): Promise<T>;
}

const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(?:-.*)?$/;

export interface TraceContext {
  traceId: string;
  spanId: string;
  flags: number;
}

/** Reads a W3C `traceparent`; a later version is read up to the fields of version 00. @returns `undefined` for anything else */
export function parseTraceparent(text: string | readonly string[] | undefined): TraceContext | undefined {
  const [whole, traceId = '', spanId = '', flags = ''] = (typeof text === 'string' ? TRACEPARENT.exec(text) : null) ?? [];
  return whole === undefined ? undefined : { traceId, spanId, flags: Number.parseInt(flags, 16) };
}

/** Formats a `traceparent` of version 00: hexadecimal digits and hyphens only. */
export function formatTraceparent({ traceId, spanId, flags }: TraceContext): string {
  return `00-${traceId}-${spanId}-${(flags & 0xff).toString(16).padStart(2, '0')}`;
}
