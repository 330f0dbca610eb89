import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { EVERYONE } from '@sinebar/access-control';
import { ServiceError } from '@sinebar/contracts';
import type { WriteSession } from '@sinebar/database';
import type { SentMeasurement } from '../codec/sent-measurement.js';
import { CharacteristicSetCache } from '../sets/characteristic-sets.js';
import { MeasurementWriteStore } from './measurement-write-store.js';
import type { MeasurementTransactions } from './measurement-transaction.js';
import { createPiecewise, type Pieces } from './piecewise-creation.js';

const PART = { id: 1, uuid: randomUUID(), path: 'ppart/', planVersion: 1, setId: null };
const INSERT_MS = 20;

const piece = (): SentMeasurement[] => [{ uuid: randomUUID(), partUuid: PART.uuid, attributes: {}, comment: undefined, values: undefined }];

/** Fake database that records the order of calls. */
class Writing {
  readonly log: string[] = [];
  /** Error with which every statement fails. */
  failure: Error | undefined;
  /** Attempts at the transaction. */
  attempts = 1;
  private inserts = 0;

  private readonly session = {
    query: async () => {
      const number = (this.inserts += 1);
      this.log.push(`insert ${number}`);
      await pause(INSERT_MS);
      if (this.failure) throw this.failure;
      this.log.push(`inserted ${number}`);
      return [];
    },
    announce: () => void this.log.push('announced'),
  } as unknown as WriteSession;

  private readonly transactions = {
    run: async (_options: object, work: (transaction: object) => Promise<unknown>) => {
      await pause(INSERT_MS);
      this.log.push('begun');
      for (let attempt = 0; attempt < this.attempts; attempt += 1) {
        await work({
          session: this.session,
          store: new MeasurementWriteStore(this.session),
          configuration: { definitions: new Map(), entryKeys: new Map() },
          cache: new CharacteristicSetCache(),
          findParts: () => Promise.resolve(new Map([[PART.uuid, PART]])),
          at: new Date(),
          commentOf: () => null,
        });
      }
      this.log.push('committed');
    },
  } as unknown as MeasurementTransactions;

  create(pieces: readonly SentMeasurement[][], isExpected = true, signal = new AbortController().signal): Promise<boolean> {
    const { log } = this;
    function* read(): Pieces {
      for (const [i, sent] of pieces.entries()) {
        log.push(`read ${i + 1}`);
        yield sent;
      }
      return isExpected;
    }
    return createPiecewise(this.transactions, read, EVERYONE, { signal, statementTimeoutMs: 1000 });
  }
}

describe('storing a body while it is parsed', () => {
  it('parses while the transaction begins, and parses the next piece during an insert', async () => {
    const writing = new Writing();
    expect(await writing.create([piece(), piece(), piece()])).toBe(true);
    expect(writing.log).toEqual([
      'read 1',
      'begun',
      // The second piece is prepared while the first is inserted.
      ...['insert 1', 'read 2', 'read 3', 'inserted 1'],
      ...['insert 2', 'inserted 2'],
      ...['insert 3', 'announced', 'inserted 3'],
      'committed',
    ]);
  });

  it('parses from the start when the transaction is retried', async () => {
    const writing = new Writing();
    writing.attempts = 2;
    expect(await writing.create([piece(), piece()])).toBe(true);
    expect(writing.log.filter((line) => line.startsWith('read'))).toEqual(['read 1', 'read 2', 'read 1', 'read 2']);
  });

  it('leaves unexpected and refused bodies to the general path', async () => {
    const [unexpected, unknownPart, refused] = [new Writing(), new Writing(), new Writing()];
    refused.failure = new ServiceError('AlreadyExists', 'there is one');
    expect(await unexpected.create([piece(), piece()], false)).toBe(false);
    expect(await unknownPart.create([piece(), piece().map((sent) => ({ ...sent, partUuid: randomUUID() }))])).toBe(false);
    expect(await refused.create([piece(), piece()])).toBe(false);
    for (const { log } of [unexpected, unknownPart, refused]) expect(log).not.toContain('committed');
  });

  it('fails when the database is unavailable or the client has disconnected', async () => {
    const [lost, left] = [new Writing(), new Writing()];
    lost.failure = new ServiceError('Unavailable', 'no database');
    await expect(lost.create([piece()])).rejects.toThrow('no database');
    left.failure = new ServiceError('InvalidRequest', 'gone');
    await expect(left.create([piece()], true, AbortSignal.abort())).rejects.toThrow('gone');
  });
});
