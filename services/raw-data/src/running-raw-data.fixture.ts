import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import type { Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EVERYONE, PathScope, type Principal } from '@sinebar/access-control';
import { type ChangeEnvelope, type EventPayloads } from '@sinebar/contracts';
import { migrate, openDatabase, type Database, type Session } from '@sinebar/database';
import { createInProcessBus, MemoryMessageLog, type Bus } from '@sinebar/message-bus';
import { closeHttpServer, createHttpApp, createHttpServer, listen } from '@sinebar/http';
import {
  createLogger,
  loadSettings,
  Spool,
  listPartsRequestSchema,
  resolveTargetsRequestSchema,
  SERVICE_SUBJECTS,
  type ComposedService,
  type ListPartsReply,
  type ResolveTargetsReply,
} from '@sinebar/runtime';
import { changeEnvelope, createTestDatabase, eventually, templateDatabase } from '@sinebar/testing';
import { composeRawData } from './compose.ts';
import { rawDataSettings } from './config.ts';
import type { BlobStore } from './blobs/blob-store.ts';
import { FileBlobStore } from './blobs/file-blob-store.ts';
import { FollowPositionStore } from './follow/follow-position-store.ts';
import { RAW_DATA_SCHEMA, rawDataMigrations } from './migrations/index.ts';

interface EventOptions {
  time: Date;
  removedCharacteristics: string[];
  valuesVersion: number;
  from: string;
}

/** Stands for the inspection service: answers the same requests; tests decide when its events are sent. */
export class FakeInspection {
  readonly parts = new Map<string, string>();
  /** Owning parts of other targets, by `<entity>|<uuid>`. */
  readonly targets = new Map<string, string>();
  /** Number of recreations of a target under its uuid, by `<entity>|<uuid>`. */
  private readonly recreations = new Map<string, number>();
  /** Number of replacements of the values of a measurement, by its uuid. */
  readonly versions = new Map<string, number>();
  private readonly bus: Bus;
  /** Called before each request is answered. */
  onResolve: (uuids: string[]) => Promise<void> = () => Promise.resolve();

  constructor(bus: Bus) {
    this.bus = bus;
  }

  async listen(): Promise<void> {
    await this.bus.respond(SERVICE_SUBJECTS.resolveTargets, async (body): Promise<ResolveTargetsReply> => {
      const { targets } = resolveTargetsRequestSchema.parse(body);
      await this.onResolve(targets.map(({ uuid }) => uuid));
      const answer = ({ entity, uuid }: { entity: string; uuid: string }) => {
        const partUuid = entity === 'Part' ? uuid : (this.targets.get(`${entity}|${uuid}`) ?? '');
        const path = this.parts.get(partUuid);
        if (path === undefined) return null;
        const version = this.versions.get(uuid.split('|')[0] ?? '') ?? 0;
        return {
          partUuid,
          path,
          identity: `${uuid} ${this.recreations.get(`${entity}|${uuid}`) ?? 0}`,
          ...(entity === 'Value' && { version }),
        };
      };
      return { targets: targets.map(answer) };
    });
    await this.bus.respond(SERVICE_SUBJECTS.listParts, (body): Promise<ListPartsReply> => {
      const { after = '', limit } = listPartsRequestSchema.parse(body);
      const rest = [...this.parts].filter(([uuid]) => uuid > after).sort();
      return Promise.resolve({ parts: rest.slice(0, limit).map(([uuid, path]) => ({ uuid, path })), more: rest.length > limit });
    });
  }

  async create(path: string, uuid: string = randomUUID()): Promise<string> {
    this.parts.set(uuid, path);
    await this.publishPartChange('PartCreated', uuid, path);
    return uuid;
  }

  /** Deletes and recreates a target without an event. */
  recreate(entity: string, uuid: string): void {
    this.recreations.set(`${entity}|${uuid}`, (this.recreations.get(`${entity}|${uuid}`) ?? 0) + 1);
  }

  async delete(uuid: string): Promise<void> {
    const path = this.parts.get(uuid) as string;
    this.parts.delete(uuid);
    this.recreate('Part', uuid);
    await this.publishPartChange('PartDeleted', uuid, path);
  }

  /** Moves a part with everything below it and publishes one event, like the inspection service. */
  async move(uuid: string, to: string): Promise<void> {
    const from = this.rename(uuid, to);
    await this.publishPartChange('PartMoved', uuid, to, from);
  }

  /** Moves a part without an event. @returns the old path */
  rename(uuid: string, to: string): string {
    const from = this.parts.get(uuid) as string;
    for (const [other, path] of this.parts) if (path.startsWith(from)) this.parts.set(other, to + path.slice(from.length));
    return from;
  }

  async publishChange<N extends 'CharacteristicDeleted' | 'CharacteristicMoved' | 'MeasurementDeleted' | 'MeasurementModified'>(
    type: N,
    partUuid: string,
    events: Partial<EventPayloads[N]>[],
    { time = new Date(), removedCharacteristics, valuesVersion, from }: Partial<EventOptions> = {},
  ): Promise<void> {
    await this.bus.publish([
      changeEnvelope({
        type,
        time: time.toISOString(),
        sinebarpath: this.parts.get(partUuid) ?? '',
        sinebarpart: partUuid,
        ...(from !== undefined && { sinebaroldpart: from }),
        data: {
          events: events as never,
          ...(removedCharacteristics && { removedCharacteristics }),
          ...(valuesVersion !== undefined && { valuesVersion }),
        },
      }),
    ]);
  }

  async publishPartChange(
    type: 'PartCreated' | 'PartMoved' | 'PartDeleted',
    uuid: string,
    path: string,
    oldPath?: string,
    time = new Date(),
  ): Promise<void> {
    await this.bus.publish([
      changeEnvelope({
        type,
        time: time.toISOString(),
        sinebarpath: path,
        ...(oldPath !== undefined && { sinebaroldpath: oldPath }),
        sinebarpart: uuid,
        data: { events: [{ PartUuid: uuid }] as never },
      }),
    ]);
  }
}

/** A raw-data service for tests, on a database and folder of its own. */
export interface RunningRawData {
  server: Server;
  port: number;
  service: ComposedService;
  /** Composes another replica on the same database, bus and files, without starting it. */
  compose: () => ComposedService;
  database: Database;
  bus: Bus;
  blobs: BlobStore;
  inspection: FakeInspection;
  read: <T>(work: (session: Session) => Promise<T>) => Promise<T>;
  query: <R extends object>(text: string, values?: unknown[]) => Promise<R[]>;
  /** Runs requests as another principal. */
  as: <T>(principal: Principal, run: () => Promise<T>) => Promise<T>;
  /** Reads every event announced so far, oldest first. */
  announced: () => Promise<({ type: string } & Record<string, unknown>)[]>;
  envelopes: () => Promise<ChangeEnvelope[]>;
  /** Waits until the mirror has applied every event sent so far. */
  followed: () => Promise<void>;
  /** Folder of the file store, unless another store was given. */
  fileFolder: string;
  storedNames: () => Promise<string[]>;
  spooled: () => Promise<string[]>;
  stop: () => Promise<void>;
}

export interface StartOptions {
  env?: Record<string, string>;
  /** Existing parts at the start, uuid to stored path. */
  parts?: Record<string, string>;
  blobs?: (store: BlobStore) => BlobStore;
  spoolFolder?: string;
  bus?: (bus: Bus) => Bus;
  /** Two connections to one broker, which the caller closes, instead of an in-process bus. */
  buses?: { service: Bus; inspection: Bus };
  /** False omits the background work, so that no event is followed. */
  start?: boolean;
}

export async function startRawData(options: StartOptions = {}): Promise<RunningRawData> {
  const log = createLogger({ service: 'test', level: 'fatal' });
  const migrations = rawDataMigrations.map(({ name, up }) => `${name} ${up.toString()}`).join('\n');
  const template = templateDatabase(migrations, async (url) => {
    await migrate(url, RAW_DATA_SCHEMA, rawDataMigrations);
  });
  const testDatabase = await createTestDatabase(template);
  const database = await openDatabase({
    url: testDatabase.url,
    schema: RAW_DATA_SCHEMA,
    applicationName: 'test',
    eventSource: '/raw-data',
  });
  const folder = await mkdtemp(join(tmpdir(), 'sinebar-raw-data-'));
  const store = new FileBlobStore(join(folder, 'files'));
  await store.prepare(new Date(), true);
  const innerBus = options.buses?.inspection ?? createInProcessBus({ log: new MemoryMessageLog({ maxMessages: 10_000 }) });
  const bus = options.buses?.service ?? options.bus?.(innerBus) ?? innerBus;
  const inspection = new FakeInspection(innerBus);
  for (const [uuid, path] of Object.entries(options.parts ?? {})) inspection.parts.set(uuid, path);
  await inspection.listen();
  const blobs = options.blobs?.(store) ?? store;
  const settings = loadSettings(rawDataSettings, options.env ?? {}).values;
  const compose = () =>
    composeRawData({
      database,
      bus,
      blobs,
      spool: new Spool(options.spoolFolder ?? join(folder, 'spool'), { quotaBytes: settings.SINEBAR_SPOOL_BYTES }),
      soleOwner: false,
      settings,
      version: '1.2.3',
      log,
      now: () => new Date(),
    });
  const service = compose();
  let principal = EVERYONE;
  const server = createHttpServer(createHttpApp({ routes: service.routes, log, authenticate: () => Promise.resolve(principal) }));
  if (options.start !== false) await service.start();
  const port = await listen(server, 0, '127.0.0.1');

  const workOptions = () => ({ signal: AbortSignal.timeout(10_000), statementTimeoutMs: 10_000 });
  const read = <T>(work: (session: Session) => Promise<T>) => database.read(workOptions(), work);
  const query = <R extends object>(text: string, values: unknown[] = []) => read((session) => session.query<R>(text, values));
  const envelopes = async () =>
    (await query<{ envelope: string }>('SELECT envelope FROM outbox ORDER BY id')).map(
      ({ envelope }) => JSON.parse(envelope) as ChangeEnvelope,
    );
  const followed = async () => {
    const { lastSequence } = await innerBus.streamState();
    await eventually(async () => ((await read((session) => new FollowPositionStore(session).read()))?.sequence ?? -1) >= lastSequence, {
      describe: 'the events are followed',
    });
  };
  if (options.start !== false) await followed();
  return {
    server,
    port,
    service,
    compose,
    database,
    bus,
    blobs,
    inspection,
    read,
    query,
    as: async (other, run) => {
      principal = other;
      try {
        return await run();
      } finally {
        principal = EVERYONE;
      }
    },
    envelopes,
    announced: async () => (await envelopes()).flatMap(({ type, data }) => data.events.map((event) => ({ type, ...event }))),
    followed,
    fileFolder: join(folder, 'files'),
    storedNames: async () => {
      const names: string[] = [];
      for await (const { name } of store.list()) names.push(name);
      return names;
    },
    spooled: () => readdir(join(folder, 'spool')),
    stop: async () => {
      await closeHttpServer(server, 1000);
      await service.stop();
      if (!options.buses) await innerBus.close();
      try {
        // The connection of a client that is gone comes back when its statement has been cancelled.
        await eventually(() => Object.values(database.poolUsage()).every(({ used }) => used === 0), 'all connections are back in the pool');
      } finally {
        await database.close();
        await testDatabase.drop();
        await rm(folder, { recursive: true, force: true });
      }
    },
  };
}

/** Makes a principal with the given rights below these stored paths. */
export function somebody(rights: { read?: string[]; write?: string[] }): Principal {
  const ranges = { 'rawData:read': rights.read, 'rawData:write': rights.write } as Record<string, string[] | undefined>;
  return {
    name: 'somebody',
    rightsKey: JSON.stringify(rights),
    scopeOf: (right) => PathScope.of(ranges[right] ?? []),
    holds: () => false,
  };
}
