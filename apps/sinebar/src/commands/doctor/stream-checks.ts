import { pause } from '@sinebar/concurrency';
import { schemaOfPlant } from '@sinebar/contracts';
import { INSPECTION_SCHEMA } from '@sinebar/inspection';
import { inspectNatsStream, type StreamState } from '@sinebar/message-bus';
import { RAW_DATA_SCHEMA } from '@sinebar/raw-data';
import { sizeText } from '../../command-line/size-text.ts';
import { expectNoneForLong, select } from './statements.ts';
import type { Check, Doctor, Finding } from './finding.ts';

/** Time in which the relay publishes a row, seconds. */
const LATE_SECONDS = 30;

/** Checks that events arrive: empty outboxes, a complete stream, followers at its end, a current part mirror. */
export const streamChecks: readonly Check[] = [
  { name: 'outbox', run: async (doctor) => [await checkOutbox(doctor, INSPECTION_SCHEMA), await checkOutbox(doctor, RAW_DATA_SCHEMA)] },
  { name: 'event stream', run: async (doctor) => (doctor.store.kind === 'embedded' ? checkKeptStream(doctor) : checkNats(doctor)) },
  { name: 'part mirror', run: async (doctor) => [await checkMirror(doctor)] },
];

async function checkOutbox({ store, inspection, signal }: Doctor, schema: string): Promise<Finding> {
  const check = `outbox ${schema}`;
  const [row] = await select<{ count: number; seconds: number | null }>(
    inspection,
    signal,
    `SELECT count(*)::float8 AS count, extract(epoch FROM clock_timestamp() - min(created_at))::float8 AS seconds
     FROM "${schemaOfPlant(schema, store.plant)}".outbox`,
  );
  const { count = 0, seconds } = row ?? {};
  if (count === 0) return { check, state: 'ok', detail: 'everything is published' };
  const waiting = `${count} messages wait, the oldest for ${Math.round(seconds ?? 0)} s`;
  if (store.isStopped) return { check, state: 'ok', detail: `${waiting}; the next start publishes them` };
  if ((seconds ?? 0) < LATE_SECONDS) return { check, state: 'ok', detail: waiting };
  return { check, state: 'problem', detail: `${waiting}: is the service running, and does the message broker answer?` };
}

/** Checks the stream that the standalone product stores in its database. */
async function checkKeptStream(doctor: Doctor): Promise<Finding[]> {
  const check = 'event stream';
  const { inspection, signal } = doctor;
  const [found] = await select<{ exists: boolean }>(inspection, signal, `SELECT to_regclass('bus.stream') IS NOT NULL AS exists`);
  if (found?.exists !== true) return [{ check, state: 'ok', detail: 'none yet; the next start makes one' }];
  const [row] = await select<{ epoch: string; first: number; last: number; messages: number; bytes: number; kept: number }>(
    inspection,
    signal,
    `SELECT epoch, first_sequence::float8 AS first, last_sequence::float8 AS last, kept_bytes::float8 AS kept,
       (SELECT count(*) FROM bus.message)::float8 AS messages, (SELECT coalesce(sum(size_bytes), 0) FROM bus.message)::float8 AS bytes
     FROM bus.stream`,
  );
  if (!row) return [{ check, state: 'problem', detail: 'bus.stream has lost its row' }];
  const { epoch, first, last, messages, bytes, kept } = row;
  const stream: Finding =
    messages === last - first + 1 && bytes === kept
      ? { check, state: 'ok', detail: `${messages} messages (${sizeText(bytes)}) are kept, up to ${epoch}.${last}` }
      : {
          check,
          state: 'problem',
          detail: `${messages} messages (${bytes} bytes) are kept where ${last - first + 1} (${kept} bytes) should be`,
        };
  return [stream, await checkFollower(doctor, { epoch, firstSequence: first, lastSequence: last })];
}

async function checkNats(doctor: Doctor): Promise<Finding[]> {
  const check = 'event stream';
  const address = doctor.store.stream;
  if (address === undefined) return [{ check, state: 'unchecked', detail: 'NATS_URL is not set: the message broker was not asked' }];
  const stream = await inspectNatsStream(address);
  if (!stream) return [{ check, state: 'problem', detail: 'the broker has none; the services make it when they start' }];
  const { epoch, lastSequence, messages, bytes, readersBehind } = stream;
  const furthest = Math.max(0, ...readersBehind);
  return [
    { check, state: 'ok', detail: `${messages} messages (${sizeText(bytes)}) are kept, up to ${epoch}.${lastSequence}` },
    {
      check: 'gateway and followers',
      state: 'ok',
      detail: `${readersBehind.length} read the stream, the last one ${furthest} messages behind`,
    },
    await checkFollower(doctor, stream),
  ];
}

/** Checks how far the raw-data service lags behind the stream. */
async function checkFollower({ store, rawData, signal, options }: Doctor, stream: StreamState): Promise<Finding> {
  const check = 'followed by raw-data';
  const giveUpAt = performance.now() + options.settleMs;
  for (;;) {
    const [row] = await select<{ epoch: string | null; sequence: number }>(
      rawData,
      signal,
      'SELECT epoch, sequence::float8 AS sequence FROM follow_position',
    );
    const { epoch = null, sequence = 0 } = row ?? {};
    const behind = stream.lastSequence - sequence;
    if (epoch === stream.epoch && behind <= 0) return { check, state: 'ok', detail: 'up to the end of the stream' };
    const where = epoch === stream.epoch ? `${behind} messages behind` : 'at no place in this stream';
    if (store.isStopped) return { check, state: 'ok', detail: `${where}; the next start catches up` };
    if (performance.now() > giveUpAt) return { check, state: 'problem', detail: `${where}: is the raw-data service running?` };
    await pause(250, signal);
    signal.throwIfAborted();
  }
}

async function checkMirror(doctor: Doctor): Promise<Finding> {
  const check = 'part mirror';
  const { store, rawData, signal } = doctor;
  const schema = schemaOfPlant(INSPECTION_SCHEMA, store.plant);
  const [row] = await select<{ waiting: boolean }>(
    rawData,
    signal,
    `SELECT (SELECT epoch FROM follow_position) IS NULL OR EXISTS (SELECT FROM "${schema}".outbox) AS waiting`,
  );
  if (store.isStopped && row?.waiting !== false) return { check, state: 'ok', detail: 'the next start brings it up to date' };
  return expectNoneForLong(doctor, {
    check,
    database: rawData,
    wrong: `SELECT coalesce(mirrored.uuid, item.uuid) AS example
            FROM part AS mirrored
            FULL JOIN (SELECT uuid, path FROM "${schema}".plan_item WHERE kind = 'part') AS item ON item.uuid = mirrored.uuid
            WHERE mirrored.path IS DISTINCT FROM item.path`,
    fine: 'the raw-data service knows all parts and their paths',
    problem: 'parts that the raw-data service does not know as they are',
  });
}
