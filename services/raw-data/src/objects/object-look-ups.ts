import type { TargetEntity } from '@sinebar/contracts';
import type { Database, WorkOptions } from '@sinebar/database';
import DataLoader from 'dataloader';
import { ObjectStore } from './object-store.ts';
import type { RawDataObject } from './raw-data-object.ts';

/** Most addresses of one statement. */
const MAX_JOINED = 500;

interface LookUp {
  target: TargetEntity;
  key: number;
  caller: WorkOptions;
}

/** Finds files by their addresses. Look-ups in one turn of the event loop share one statement; nothing is cached between turns. */
export class ObjectLookUps {
  private readonly loader: DataLoader<LookUp, RawDataObject | undefined>;

  constructor(database: Database) {
    this.loader = new DataLoader((lookUps) => joined(database, lookUps), {
      cache: false,
      maxBatchSize: MAX_JOINED,
      batchScheduleFn: (look) => setImmediate(look),
    });
  }

  /** Finds the file without a check of rights. @throws ServiceError 503 */
  find(target: TargetEntity, key: number, caller: WorkOptions): Promise<RawDataObject | undefined> {
    return this.loader.load({ target, key, caller });
  }
}

async function joined(database: Database, lookUps: readonly LookUp[]): Promise<(RawDataObject | undefined)[]> {
  const [first, ...others] = lookUps;
  if (!first) return [];
  if (others.length === 0) return [await database.read(first.caller, (session) => new ObjectStore(session).find(first.target, first.key))];
  // A client that disconnects must not abort the look-ups of others.
  const forAll = {
    signal: new AbortController().signal,
    statementTimeoutMs: Math.max(...lookUps.map(({ caller }) => caller.statementTimeoutMs)),
  };
  const found = await database.read(forAll, (session) => new ObjectStore(session).findAll(lookUps));
  const byAddress = new Map(found.map((object) => [addressOf(object), object]));
  return lookUps.map((lookUp) => byAddress.get(addressOf(lookUp)));
}

function addressOf({ target, key }: Pick<LookUp, 'target' | 'key'>): string {
  return `${target.entity} ${target.uuid} ${key}`;
}
