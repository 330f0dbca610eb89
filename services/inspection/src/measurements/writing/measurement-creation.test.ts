import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { EVERYONE } from '@sinebar/access-control';
import { ServiceError } from '@sinebar/contracts';
import type { WriteSession } from '@sinebar/database';
import type { SentMeasurement } from '../codec/sent-measurement.ts';
import { CharacteristicSetCache, CharacteristicsInUse } from '../sets/characteristic-sets.ts';
import { MeasurementCreation, type CreationRequest } from './measurement-creation.ts';
import type { MeasurementTransaction } from './measurement-transaction.ts';
import { MeasurementWriteStore } from './measurement-write-store.ts';

const PART = { id: 1, uuid: randomUUID(), path: 'ppart/', planVersion: 1, setId: null };

const good = (): SentMeasurement => ({ uuid: randomUUID(), partUuid: PART.uuid, attributes: {}, comment: undefined, values: undefined });
const unknownPart = (): SentMeasurement => ({ ...good(), partUuid: randomUUID() });
const unknownAttribute = (): SentMeasurement => ({ ...good(), attributes: { 77: 'x' } });

/**
 * Fake transaction that records the order of calls.
 * An insertion ends when the creation has continued: a read, a mistake or the announcement.
 */
class Writing {
  readonly log: string[] = [];
  private wentOn: () => void = () => undefined;
  /** Error with which every statement fails. */
  failure: Error | undefined;
  private inserts = 0;

  private readonly session = {
    query: async () => {
      const number = (this.inserts += 1);
      this.log.push(`insert ${number}`);
      await new Promise<void>((resolve) => (this.wentOn = resolve));
      if (this.failure) throw this.failure;
      this.log.push(`inserted ${number}`);
      return [{ id: String(number) }];
    },
    runLast: () => undefined,
  } as unknown as WriteSession;

  private readonly transaction = {
    store: new MeasurementWriteStore(this.session),
    configuration: { definitions: new Map(), entryKeys: new Map() },
    characteristics: new CharacteristicsInUse(this.session, new CharacteristicSetCache()),
    findParts: () => Promise.resolve(new Map([[PART.uuid, PART]])),
    at: new Date(),
    commentOf: () => null,
    announce: () => {
      this.log.push('announced');
      this.wentOn();
    },
  } as unknown as MeasurementTransaction;

  /** A request with a body of these batches. @param mistake with which reading ends */
  body(batches: readonly SentMeasurement[][], mistake?: Error): CreationRequest {
    const read = function* (this: Writing): Generator<SentMeasurement[]> {
      for (const [i, sent] of batches.entries()) {
        this.log.push(`read ${i + 1}`);
        this.wentOn();
        yield sent;
      }
      this.wentOn();
      if (mistake) throw mistake;
    };
    return { batches: { [Symbol.iterator]: read.bind(this) }, principal: EVERYONE };
  }

  /** @returns the message of each failure */
  async create(...requests: CreationRequest[]): Promise<(string | undefined)[]> {
    const failures = await new MeasurementCreation(this.transaction, requests).run();
    return failures.map((failure) => failure?.message);
  }
}

describe('storing a body while it is parsed', () => {
  it('is read and checked on while what was read is inserted', async () => {
    const writing = new Writing();
    expect(await writing.create(writing.body([[good()], [good()], [good()]]))).toEqual([undefined]);
    expect(writing.log).toEqual([
      ...['read 1', 'insert 1'],
      ...['read 2', 'inserted 1', 'insert 2'],
      ...['read 3', 'inserted 2', 'insert 3'],
      ...['announced', 'inserted 3'],
    ]);
  });

  it('parses from the start when the transaction is retried', async () => {
    const writing = new Writing();
    const request = writing.body([[good()], [good()]]);
    await writing.create(request);
    await writing.create(request);
    expect(writing.log.filter((line) => line.startsWith('read'))).toEqual(['read 1', 'read 2', 'read 1', 'read 2']);
  });

  it('ends with the first mistake that the earliest check finds, reads on until then and stores no more', async () => {
    const writing = new Writing();
    const batches = [[good()], [good(), unknownAttribute()], [unknownPart()], [unknownPart(), unknownAttribute()], [good()]];
    await expect(writing.create(writing.body(batches))).rejects.toThrow(/^\[3\]\.partUuid: There is no part/);
    // The insertion ends at any time while the rest is read.
    expect(writing.log).toContain('inserted 1');
    const begun = writing.log.filter((line) => line !== 'inserted 1');
    expect(begun).toEqual(['read 1', 'insert 1', 'read 2', 'read 3', 'read 4', 'read 5']);
  });

  it('ends with a uuid that stands in two batches', async () => {
    const writing = new Writing();
    const [first, last] = [good(), unknownPart()];
    await expect(
      writing.create(
        writing.body([
          [first, last],
          [good(), { ...good(), uuid: first.uuid }],
        ]),
      ),
    ).rejects.toThrow(/^\[3\]\.uuid: .* stands in \[0\] already/);
  });

  it('ends with the position at which it cannot be read, whatever else is wrong', async () => {
    const mistake = new ServiceError('InvalidRequest', 'not valid JSON');
    for (const batches of [[[good()]], [[unknownPart()], [good()]]]) {
      const writing = new Writing();
      await expect(writing.create(writing.body(batches, mistake))).rejects.toThrow('not valid JSON');
      expect(writing.log).not.toContain('announced');
    }
  });

  it('ends with what the database answers', async () => {
    const writing = new Writing();
    writing.failure = new ServiceError('Unavailable', 'no database');
    await expect(writing.create(writing.body([[good()], [good()], [good()]]))).rejects.toThrow('no database');
    expect(writing.log).not.toContain('insert 2');
  });

  it('is checked to its end after a conflict, without storing anything', async () => {
    const writing = new Writing();
    const conflict = new ServiceError('AlreadyExists', 'there is one');
    await expect(writing.create({ ...writing.body([[good()], [good()]]), conflict })).rejects.toThrow('there is one');
    await expect(writing.create({ ...writing.body([[good()], [unknownPart()]]), conflict })).rejects.toThrow(/^\[1\]\.partUuid/);
    expect(writing.log).toEqual(['read 1', 'read 2', 'read 1', 'read 2']);
  });
});

describe('requests that share a transaction', () => {
  it('are left out each for its own mistake', async () => {
    const writing = new Writing();
    const requests = [[good()], [good(), unknownPart()], [unknownAttribute()]].map((sent) => ({ batches: [sent], principal: EVERYONE }));
    expect(await writing.create(...requests)).toEqual([
      undefined,
      expect.stringMatching(/^\[1\]\.partUuid/),
      expect.stringMatching(/^\[0\] .*attribute "77"/),
    ]);
    expect(writing.log).toEqual(['insert 1', 'announced', 'inserted 1']);
  });
});
