import type { ChangeEnvelope, Tracer } from '@sinebar/contracts';

export interface RelaySpans {
  published(): void;
  failed(error: unknown): void;
  /** Call when the messages are published, or will be retried. */
  end(): void;
}

const NONE: RelaySpans = { published: () => undefined, failed: () => undefined, end: () => undefined };

/** Creates spans of each message of a traced request: the relay, and the publication in it. */
export function relaySpans(tracer: Tracer | undefined, envelopes: readonly ChangeEnvelope[]): RelaySpans {
  if (!tracer) return NONE;
  const spans = envelopes.flatMap(({ id, type, traceparent: parent }) => {
    if (parent === undefined) return [];
    const attributes = { 'messaging.system': 'nats', 'messaging.message.id': id };
    const relay = tracer.start(`relay ${type}`, { kind: 'client', parent, attributes });
    return [{ relay, publish: tracer.start(`publish ${type}`, { kind: 'producer', parent: relay.traceparent, attributes }) }];
  });
  let failure: unknown;
  return {
    published: () => {
      for (const { publish } of spans) publish.end();
    },
    failed: (error) => {
      failure = error;
      for (const { publish } of spans) publish.end(error);
    },
    end: () => {
      for (const { relay } of spans) relay.end(failure);
    },
  };
}
