import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { EventName } from '@sinebar/contracts';
import {
  ACTS,
  ADDRESS_CASES,
  describeWith,
  EVENT_CASES,
  eventually,
  LIST_CASES,
  MEASURED,
  PARTS,
  type AddressCase,
} from '@sinebar/testing';
import { REQUESTS, moveRequest } from './address-acts.fixture.ts';
import { eventAct, subjectOf } from './event-acts.fixture.ts';
import { ASK, type ChangePage } from './lists.fixture.ts';
import { ADMIN, startProduct, utf8, type RunningProduct } from './running-product.fixture.ts';
import { World } from './world.fixture.ts';

const NO_ACCESS = { no: 403, missing: 404 } as const;
const needsOf = (row: AddressCase): readonly string[] => ACTS[row[1]];
const isMoved = ([, act]: AddressCase) => act.endsWith('after a move');
// Only those who keep the policy may read it; it is changed in its file.
const changes = (row: AddressCase) => needsOf(row).some((right) => right.endsWith(':write') && right !== 'policy:write');
const CHANGING = ADDRESS_CASES.filter(changes);
const REFUSED = CHANGING.filter((row) => row[3] !== 'yes');
const ALLOWED = CHANGING.filter((row) => row[3] === 'yes');
const isOfFiles = (row: AddressCase) => needsOf(row).some((right) => right.startsWith('rawData:'));
const isOfNotes = (row: AddressCase) => needsOf(row).includes('note:write');
/** Whether the cause of an event leaves all items as they are, so that the next case may use them. */
const keepsItems = (event: EventName) => event.startsWith('Measurement') || event.startsWith('Note');

/** Runs the table of access cases over HTTP, on real servers. */
describeWith(['postgres', 'nats', 's3'], 'the table of access cases over HTTP', () => {
  let product: RunningProduct;
  let world: World;
  beforeAll(async () => {
    product = await startProduct();
    world = new World(product);
    await world.buildAll();
  });
  afterAll(() => product.stop());

  const ask = ([who, act, where]: AddressCase) => product.send({ who, ...REQUESTS[act](world, where) });

  describe('lists', () => {
    beforeAll(async () => {
      const admin = { product, world, who: ADMIN, where: '/' };
      await eventually(async () => {
        expect(await ASK['changes of parts'](admin)).toHaveLength(PARTS.length - 1);
        expect(await ASK['changes of files'](admin)).toHaveLength(MEASURED.length);
      });
    });

    it.each(LIST_CASES)('with %s: list of %s from %s on [D8.3]', async (who, list, where, shown) => {
      const found = await ASK[list]({ product, world, who, where });
      if (typeof found === 'number') expect(found).toBe(shown.length);
      else expect([...found].sort()).toEqual([...shown].sort());
    });
  });

  describe('reading', () => {
    it.each(ADDRESS_CASES.filter((row) => !changes(row) && !isMoved(row)))('with %s: %s, %s: %s [D2.6, D8.3]', async (...row) => {
      const answer = await ask(row);
      if (row[3] === 'yes') expect(answer.status).toBe(200);
      else {
        expect(answer.status).toBe(NO_ACCESS[row[3]]);
        expect(answer.headers['etag']).toBeUndefined();
      }
    });
  });

  describe('refused', () => {
    beforeAll(async () => {
      await world.buildAll();
    });

    it.each(REFUSED)('with %s: %s, %s: %s [D2.6, D8.2]', async (...row) => {
      const answer = await ask(row);
      expect({ status: answer.status, text: utf8(answer) }).toMatchObject({ status: NO_ACCESS[row[3] as keyof typeof NO_ACCESS] });
    });

    it('requests change nothing [D2.6, D8.2]', async () => {
      const state = await world.state();
      for (const row of REFUSED) await ask(row);
      expect(await world.state()).toEqual(state);
    });
  });

  describe('changing', () => {
    const prepare = async (row: AddressCase) => {
      await world.build();
      if (isOfNotes(row)) await world.addNotesAndAlarms();
      if (isOfFiles(row)) await world.addFiles();
    };

    it.each(ALLOWED)('with %s: %s, %s: %s [D2.6, D8.2]', async (...row) => {
      await prepare(row);
      const state = await world.state();
      const answer = await ask(row);
      expect([200, 201, 202]).toContain(answer.status);
      if (answer.status === 202) {
        const path = new URL(answer.headers.location as string).pathname;
        expect(await product.read(row[0], path)).toMatchObject({ ExecutionStatus: 'Finished' });
      }
      expect(await world.state()).not.toEqual(state);
    });

    it.each(ADDRESS_CASES.filter(isMoved))('with %s: %s, once moved %s: %s [D8.2]', async (...row) => {
      await prepare(row);
      const expected = row[3] === 'yes' ? 200 : 403;
      await world.admin(moveRequest(world, row[2]));
      // The raw-data service learns of a move with a short delay.
      if (isOfFiles(row)) await eventually(async () => expect((await ask(row)).status).toBe(expected));
      else expect((await ask(row)).status).toBe(expected);
    });
  });

  describe('events', () => {
    let isIntact = false;
    it.each(EVENT_CASES)('with %s: %s, %s: %s [I169, D7.3, D8.4]', async (who, event, where, reach) => {
      if (!isIntact) await world.build();
      if (event === 'AlarmChanged') await world.addNotesAndAlarms();
      isIntact = keepsItems(event);
      const { before, request, subject } = eventAct(world, event, where);
      for (const asked of before) await world.admin(asked);
      const after = await world.endOfFeed();
      await world.admin(request);
      const heardBy = async (listener: string) => {
        const page = await product.read<ChangePage>(listener, `/eventServiceRest/changes?limit=10000&after=${after}`);
        return page.changes.filter((change) => change.event === event && change.data[subjectOf(event)] === subject).map(({ data }) => data);
      };
      const payload = await eventually(async () => {
        const payloads = await heardBy(ADMIN);
        expect(payloads).toEqual([expect.anything()]);
        return payloads[0];
      });
      const expected = {
        all: [payload],
        nothing: [],
        'the old path': [{ ...payload, ToPath: '' }],
        'the new path': [{ ...payload, FromPath: '' }],
      };
      expect(await heardBy(who)).toEqual(expected[reach]);
    });
  });
});
