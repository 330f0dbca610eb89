import { randomUUID } from 'node:crypto';
import type { ChangeEnvelope, PendingChange } from '@sinebar/contracts';
import type { Migration } from '../database.ts';

/**
 * Size limit of a message in bytes; NATS refuses more than 1 MiB with headers. A larger row would stop the relay, so the change fails
 * instead.
 */
const MAX_ENVELOPE_BYTES = 1_000_000;

/** Migration that creates the table of committed events that are not yet published. */
export function outboxMigration(name: string): Migration {
  return {
    name,
    up: async (session) => {
      // Cache 1 assigns ids in order across connections; the text is published byte for byte.
      await session.query(
        `CREATE TABLE outbox (
           id bigint GENERATED ALWAYS AS IDENTITY (CACHE 1) PRIMARY KEY,
           event_id uuid NOT NULL,
           envelope text NOT NULL,
           created_at timestamptz NOT NULL DEFAULT clock_timestamp()
         ) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000,
                 autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 50000)`,
      );
    },
  };
}

/** Adds id, source and time to changes. A change without payloads gives no message. */
export function toEnvelopes(changes: readonly PendingChange[], source: string, time: Date, traceparent?: string): ChangeEnvelope[] {
  return changes
    .filter((change) => change.events.length > 0)
    .map((change) => ({
      specversion: '1.0',
      id: randomUUID(),
      source,
      type: change.type,
      time: time.toISOString(),
      subject: change.subject,
      datacontenttype: 'application/json',
      sinebarpath: change.path,
      ...(change.oldPath !== undefined && { sinebaroldpath: change.oldPath }),
      sinebarpart: change.partUuid,
      ...(change.oldPartUuid !== undefined && { sinebaroldpart: change.oldPartUuid }),
      ...(traceparent !== undefined && { traceparent }),
      data: {
        events: change.events,
        ...(change.removedCharacteristics && { removedCharacteristics: change.removedCharacteristics }),
        ...(change.valuesVersion !== undefined && { valuesVersion: change.valuesVersion }),
      },
    }));
}

/**
 * Builds the statement that inserts the envelopes in their order, without parameters, so that it is sent with COMMIT.
 * Ids are assigned as late as possible and so follow the order of commits (docs/architecture.md, rules that keep data safe, 2).
 * @throws Error when one is too large for a message.
 */
export function outboxInsert(envelopes: readonly ChangeEnvelope[]): string {
  const rows = envelopes.map((envelope) => {
    const text = JSON.stringify(envelope);
    const sizeBytes = Buffer.byteLength(text);
    if (sizeBytes > MAX_ENVELOPE_BYTES) {
      throw new Error(
        `a ${envelope.type} message of ${sizeBytes} bytes is too large to publish: announce it in several of at most ${MAX_ENVELOPE_BYTES}`,
      );
    }
    return `(${literal(envelope.id)}, ${literal(text)})`;
  });
  return `INSERT INTO outbox (event_id, envelope) VALUES ${rows.join(', ')};`;
}

/** Quotes a text for either setting of standard_conforming_strings. JSON text contains no U+0000, which would end the message early. */
export function literal(text: string): string {
  return `E'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
}
