import { JetStreamApiError, type JetStreamManager, type StreamConfig, type StreamInfo, type StreamUpdateConfig } from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import { EVENT_SUBJECT_PREFIX } from '@sinebar/contracts';
import type { StreamState, StreamUsage } from '../bus.ts';
import { errorText, type BusLog } from '../bus-log.ts';

/** Limits of the event stream; the oldest messages are removed first. */
export interface StreamSettings {
  /** Default seven days; 0 for no limit. */
  maxAgeMs?: number;
  /** Default 1 GiB; the broker reserves it. */
  maxBytes?: number;
  /** Copies in a cluster, 1 to 5; default 1. */
  replicas?: number;
  /** Time for which the broker knows message ids; longer than an outage after which a publisher repeats messages. Default one hour. */
  duplicateWindowMs?: number;
}

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const STREAM_NOT_FOUND = 10059;
const STREAM_NAME_IN_USE = 10058;

const LIMITS = ['discard', 'max_age', 'max_bytes', 'num_replicas', 'duplicate_window'] as const;

export type StreamConfiguration = Pick<StreamConfig, 'name' | 'retention' | 'storage'> & LimitSettings;
type LimitSettings = Pick<StreamUpdateConfig, 'subjects' | (typeof LIMITS)[number]>;

/** Without copies, fewer messages are stored sooner one by one than by the files that the broker makes for a batch. */
const MIN_BATCH_WITHOUT_COPIES = 20;
const MIN_BATCH_WITH_COPIES = 2;

/** @throws TypeError when a setting is out of its range. */
export function streamConfiguration(name: string, subjectPrefix: string, settings: StreamSettings): StreamConfiguration {
  const { maxAgeMs = 7 * DAY_MS, maxBytes = 1024 ** 3, replicas = 1, duplicateWindowMs = HOUR_MS } = settings;
  if (!(Number.isInteger(maxAgeMs) && (maxAgeMs === 0 || maxAgeMs >= 100))) throw new TypeError('maxAgeMs must be 0 or at least 100');
  if (!(Number.isInteger(maxBytes) && maxBytes > 0)) throw new TypeError('maxBytes must be a whole number above 0');
  if (!(Number.isInteger(replicas) && replicas >= 1 && replicas <= 5)) throw new TypeError('replicas must be 1 to 5');
  if (!(Number.isInteger(duplicateWindowMs) && duplicateWindowMs >= 100)) throw new TypeError('duplicateWindowMs must be at least 100');
  return {
    name,
    subjects: [`${subjectPrefix}${EVENT_SUBJECT_PREFIX}.>`],
    storage: 'file',
    retention: 'limits',
    discard: 'old',
    max_age: nanos(maxAgeMs),
    max_bytes: maxBytes,
    num_replicas: replicas,
    // The broker refuses a window that is longer than the age.
    duplicate_window: nanos(maxAgeMs === 0 ? duplicateWindowMs : Math.min(duplicateWindowMs, maxAgeMs)),
  };
}

export interface EnsureStreamOptions {
  configuration: StreamConfiguration;
  /** True if the limits of this service apply. Others only report differences, or services would undo each other's settings. */
  ownsStream: boolean;
  /** True if the broker writes a batch to the disk at once; otherwise a batch without copies is slower than single messages. */
  syncsBatches: boolean;
  log: BusLog;
}

/**
 * Creates the stream when there is none; its owner also brings its limits up to date. Several services may do so at once.
 * @returns the smallest number of messages to send as an atomic batch; `Infinity`: all one by one.
 * @throws Error when a stream of this name cannot serve as event stream, or the broker refuses to create it
 */
export async function ensureStream(jsm: JetStreamManager, options: EnsureStreamOptions): Promise<number> {
  const { configuration, ownsStream, syncsBatches, log } = options;
  const { name, storage, retention, ...limits } = configuration;
  let { config } = await findOrCreate(jsm, configuration, log);
  if (config.storage !== storage || config.retention !== retention) {
    throw new Error(`the stream ${name} exists with storage ${config.storage} and retention ${config.retention}; remove it`);
  }
  const differences = differingLimits(config, limits);
  if (ownsStream && (differences.length > 0 || !sameSubjects(config, limits))) config = await updateLimits(jsm, name, config, limits, log);
  else if (!sameSubjects(config, limits)) {
    throw new Error(
      `the stream ${name} takes ${config.subjects.join(', ')}, not ${limits.subjects.join(', ')}; its owner has to change that`,
    );
  } else if (differences.length > 0) {
    log.warn(
      {
        differences,
      },
      `the event stream ${name} has other limits than the settings here; those of its owner apply`,
    );
  }
  const hasCopies = config.num_replicas > 1;
  if (!hasCopies && !syncsBatches) return Infinity;
  if (await allowBatches(jsm, config, log)) return hasCopies ? MIN_BATCH_WITH_COPIES : MIN_BATCH_WITHOUT_COPIES;
  if (hasCopies) {
    log.warn({}, `the event stream ${name} has copies but takes no batches: events are sent one by one; nats-server 2.12 is faster`);
  }
  return Infinity;
}

async function findOrCreate(jsm: JetStreamManager, configuration: StreamConfiguration, log: BusLog): Promise<StreamInfo> {
  const { name } = configuration;
  try {
    return await jsm.streams.info(name);
  } catch (error) {
    if (!isStreamNotFound(error)) throw error;
  }
  try {
    const created = await jsm.streams.add(configuration);
    log.info({}, `created the event stream ${name}`);
    return created;
  } catch (error) {
    // Another service created it first, with other limits.
    if (!(error instanceof JetStreamApiError && error.code === STREAM_NAME_IN_USE)) throw error;
    return await jsm.streams.info(name);
  }
}

async function updateLimits(
  jsm: JetStreamManager,
  name: string,
  existing: StreamConfig,
  limits: LimitSettings,
  log: BusLog,
): Promise<StreamConfig> {
  try {
    const { config } = await jsm.streams.update(name, limits);
    log.info({ differences: differingLimits(existing, limits) }, `updated the limits of the event stream ${name}`);
    return config;
  } catch (error) {
    // Continue with old limits, but not with other subjects: nothing would be stored.
    if (!sameSubjects(existing, limits)) throw error;
    log.error({ error: errorText(error) }, `the limits of the event stream ${name} could not be updated`);
    return existing;
  }
}

/** A broker without batches ignores the setting, or refuses it. */
async function allowBatches(jsm: JetStreamManager, config: StreamConfig, log: BusLog): Promise<boolean> {
  if (config.allow_atomic) return true;
  const change: Partial<StreamConfig> = { allow_atomic: true };
  try {
    const updated = await jsm.streams.update(config.name, change);
    return updated.config.allow_atomic === true;
  } catch (error) {
    log.info({ error: errorText(error) }, `batches could not be enabled for the event stream ${config.name}`);
    return false;
  }
}

export function isStreamNotFound(error: unknown): boolean {
  return error instanceof JetStreamApiError && error.code === STREAM_NOT_FOUND;
}

export async function readStreamState(jsm: JetStreamManager, name: string): Promise<StreamState> {
  const { created, state } = await jsm.streams.info(name);
  return {
    epoch: epochOf(created),
    // An empty stream reports 0 or the sequence after its last message, depending on whether there ever was one.
    firstSequence: state.messages === 0 ? state.last_seq + 1 : state.first_seq,
    lastSequence: state.last_seq,
  };
}

/** @returns `undefined` for a stream without limit */
export async function readStreamUsage(jsm: JetStreamManager, name: string): Promise<StreamUsage | undefined> {
  const { state, config } = await jsm.streams.info(name);
  return config.max_bytes > 0 ? { bytes: state.bytes, maxBytes: config.max_bytes } : undefined;
}

/**
 * Returns an identity of the stream: its creation time in nanoseconds. A stream that is deleted and created again restarts with sequence 1.
 * @param created as the broker writes it: RFC 3339 with up to nine fraction digits.
 */
export function epochOf(created: string): string {
  const match = /^(.*?)(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d)$/.exec(created);
  const seconds = match ? Date.parse(`${match[1]}${match[3]}`) / 1000 : Number.NaN;
  if (!Number.isInteger(seconds)) throw new Error(`the broker sent an unreadable creation time: ${created}`);
  return (BigInt(seconds) * 1_000_000_000n + BigInt((match?.[2] ?? '').padEnd(9, '0'))).toString(36);
}

/** Describes the differences between the settings here and the stream for people. */
function differingLimits(actual: StreamConfig, wanted: LimitSettings): string[] {
  return LIMITS.filter((limit) => actual[limit] !== wanted[limit]).map(
    (limit) => `${limit} ${wanted[limit]} here, ${actual[limit]} in the stream`,
  );
}

function sameSubjects(actual: StreamConfig, wanted: LimitSettings): boolean {
  return actual.subjects.join(' ') === wanted.subjects.join(' ');
}
