import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PathScope, type Principal } from '@sinebar/access-control';
import { CAUSE_ATTRIBUTE, noteListSchema, noteSchema, type Note } from '@sinebar/contracts';
import { describeWith } from '@sinebar/testing';
import request from 'supertest';
import { AnalysisClient, timeOf } from '../analysis/analysed-part.fixture.ts';
import { EvaluationClient, messageOf } from '../evaluation/evaluation-client.fixture.ts';
import { define, PlanClient } from '../plan/plan-client.fixture.ts';
import { startInspection, type RunningInspection } from '../running-inspection.fixture.ts';

const user = (name: string, path: string, rights: readonly string[]): Principal => ({
  name,
  rightsKey: name,
  scopeOf: (right) => (rights.includes(right) ? PathScope.below(path) : PathScope.NOTHING),
  holds: () => false,
});

describeWith(['postgres'], 'notes', () => {
  let inspection: RunningInspection;
  const plan = new PlanClient(() => inspection);
  const analysis = new AnalysisClient(() => inspection);
  const evaluations = new EvaluationClient(() => inspection);
  beforeAll(async () => {
    inspection = await startInspection();
    await define(inspection, { key: CAUSE_ATTRIBUTE, entity: 'catalog', type: 'AlphaNumeric' });
  });
  afterAll(() => inspection.stop());

  const PATH = '/analysisServiceRest/notes';
  const post = (body: object) => request(inspection.server).post(PATH).send(body);
  const get = (address: string) => request(inspection.server).get(`${PATH}${address}`);
  const put = (uuid: string, body: object) => request(inspection.server).put(`${PATH}/${uuid}`).send(body);
  const remove = (uuid: string) => request(inspection.server).delete(`${PATH}/${uuid}`);
  const write = async (body: object): Promise<Note> => noteSchema.parse((await post(body).expect(201)).body);
  const list = async (query: string): Promise<Note[]> => noteListSchema.parse((await get(query).expect(200)).body);
  const texts = async (query: string) => (await list(query)).map(({ text }) => text);
  /** A part with a characteristic, and measurements of it, one a minute. */
  const measured = async (count = 1) => {
    const { name, line, cell, bore, depth } = await evaluations.branch();
    return {
      name,
      line,
      cell,
      bore,
      depth,
      measurements: await analysis.measure(
        cell,
        Array.from({ length: count }, () => ({ [bore]: 1 })),
      ),
    };
  };

  it('are answered as they are stored, and read again', async () => {
    const { cell, bore, measurements } = await measured();
    const [measurementUuid] = measurements;
    const note = await write({ characteristicUuid: bore, measurementUuid, text: 'Dropped.' });
    expect(note).toEqual({ uuid: note.uuid, partUuid: cell, characteristicUuid: bore, measurementUuid, text: 'Dropped.', time: note.time });
    expect((await get(`/${note.uuid}`).expect(200)).body).toEqual(note);
    expect(await list(`?characteristicUuid=${bore}`)).toEqual([note]);
    const ofTime = await write({ partUuid: cell, from: '2026-01-05T08:00:00Z', text: 'A new batch.' });
    expect(ofTime).toEqual({
      uuid: ofTime.uuid,
      partUuid: cell,
      from: '2026-01-05T08:00:00.000Z',
      text: 'A new batch.',
      time: ofTime.time,
    });
    expect(await list(`?partUuid=${cell}`)).toEqual([ofTime]);
  });

  it('keep their uuid and time where these are given', async () => {
    const { cell } = await measured();
    const given = { uuid: randomUUID(), partUuid: cell, time: '2026-01-05T08:00:00.000Z', text: 'From paper.' };
    expect(await write(given)).toEqual(given);
    expect(messageOf(await post(given).expect(409))).toBe(`There is a note ${given.uuid} already.`);
    expect(messageOf(await post({ partUuid: cell, time: '2999-01-01T00:00:00Z', text: 'x' }).expect(400))).toContain('not in the future');
  });

  it('are changed by who has read them', async () => {
    const { bore, measurements } = await measured();
    const written = await write({ characteristicUuid: bore, measurementUuid: measurements[0], text: 'Dropped.' });
    const { etag } = (await get(`/${written.uuid}`)).headers as { etag: string };
    await get(`/${written.uuid}`).set('If-None-Match', etag).expect(304);
    const changed = await put(written.uuid, { ...written, text: 'Not dropped.' })
      .set('If-Match', etag)
      .expect(200);
    const { modified } = noteSchema.parse(changed.body);
    expect(modified).toBeDefined();
    expect(changed.body).toEqual({ ...written, text: 'Not dropped.', modified });
    const refused = await put(written.uuid, { text: 'x' }).set('If-Match', etag).expect(412);
    expect(messageOf(refused)).toBe(`The note ${written.uuid} has changed. Read it again.`);
    await remove(written.uuid).set('If-Match', etag).expect(412);
    await remove(written.uuid)
      .set('If-Match', (changed.headers as { etag: string }).etag)
      .expect(200);
    await get(`/${written.uuid}`).expect(404);
  });

  it('refuse what no note is, with a sentence', async () => {
    const { name, cell, bore, measurements } = await measured();
    const other = await measured();
    const unknown = randomUUID();
    const at = '2026-01-05T08:00:00Z';
    const cases: [object, number, string][] = [
      [{ text: 'x' }, 400, 'needs partUuid or characteristicUuid'],
      [{ partUuid: cell }, 400, 'must be a text'],
      [{ partUuid: cell, text: '  ' }, 400, 'is empty'],
      [{ partUuid: cell, text: 'x'.repeat(4001) }, 400, 'is longer than 4000 characters'],
      [{ partUuid: cell, text: 'a\0' }, 400, 'U+0000'],
      [{ partUuid: cell, text: 'x', to: at }, 400, 'needs from'],
      [{ partUuid: cell, text: 'x', from: at, to: '2026-01-05T07:00:00Z' }, 400, 'must not be before from'],
      [{ partUuid: cell, text: 'x', from: 'yesterday' }, 400, 'must be a date'],
      [{ partUuid: cell, text: 'x', measurementUuid: measurements[0], from: at }, 400, 'a measurement or a time'],
      [{ partUuid: cell, text: 'x', measurementUuid: unknown }, 400, `There is no measurement ${unknown} of the part ${cell}.`],
      [{ characteristicUuid: bore, text: 'x', measurementUuid: other.measurements[0] }, 400, `of the part ${cell}`],
      [{ partUuid: cell, text: 'x', cuase: 1 }, 400, 'the nearest one is cause'],
      [{ partUuid: unknown, text: 'x' }, 404, `There is no part ${unknown}.`],
      [{ partUuid: bore, text: 'x' }, 404, `There is no part ${bore}.`],
      [{ characteristicUuid: cell, text: 'x' }, 404, `There is no characteristic ${cell}.`],
    ];
    for (const [body, status, message] of cases) expect(messageOf(await post(body).expect(status))).toContain(message);
    await put(unknown, { text: 'x' }).expect(404);
    await remove(unknown).expect(404);
    await get(`?partUuid=${unknown}`).expect(404);
    await get('?limitResult=0').expect(400);
    expect(messageOf(await get('?partUid=x').expect(400))).toContain('partUuid');
    expect(await texts(`?partPath=/${name}`)).toEqual([]);
  });

  it('are selected by item, path and time, the newest first', async () => {
    const { name, line, cell, bore, measurements } = await measured(3);
    const write2 = (text: string, body: object, hour: number) => write({ ...body, text, time: `2026-02-01T0${hour}:00:00Z` });
    await write2('line', { partUuid: line }, 1);
    await write2('cell', { partUuid: cell, from: timeOf(0), to: timeOf(1) }, 2);
    await write2('open', { partUuid: cell, from: timeOf(1) }, 3);
    await write2('third', { characteristicUuid: bore, measurementUuid: measurements[2] }, 4);
    const below = (query = '') => texts(`?partPath=/${name}${query}`);
    expect(await below()).toEqual(['third', 'open', 'cell', 'line']);
    expect(await texts(`?partPath=/${name}/cell`)).toEqual(['third', 'open', 'cell']);
    expect(await below('&limitResult=2')).toEqual(['third', 'open']);
    expect(await below('&limitResult=2&offset=1')).toEqual(['open', 'cell']);
    expect(await texts(`?partUuid=${line}`)).toEqual(['line']);
    // Without a time of its own, a note is about the time at which it was written.
    expect(await below('&from=2026-02-01T01:00:00Z')).toEqual(['open', 'line']);
    expect(await below(`&to=${timeOf(1)}`)).toEqual(['cell']);
    expect(await below(`&from=${timeOf(2)}&to=${timeOf(3)}`)).toEqual(['third', 'open']);
  });

  it('name a cause from its catalog, with the text that it had then', async () => {
    const { cell } = await measured();
    expect(messageOf(await post({ partUuid: cell, text: 'x', cause: 3 }).expect(400))).toContain('There is no catalog of causes.');
    const uuid = randomUUID();
    const catalogs = () => request(inspection.server);
    const entry = (text: string) => ({ key: 3, attributes: { [CAUSE_ATTRIBUTE]: text } });
    const catalog = { uuid, name: 'Causes', validAttributes: [CAUSE_ATTRIBUTE], catalogEntries: [entry('tool worn')] };
    await catalogs().post('/dataServiceRest/catalogs').send([catalog]).expect(201);
    const written = await write({ partUuid: cell, text: 'x', cause: 3 });
    expect(written).toMatchObject({ cause: 3, causeText: 'tool worn' });
    expect(messageOf(await post({ partUuid: cell, text: 'x', cause: 4 }).expect(400))).toContain('"Causes", has no entry 4');
    await catalogs()
      .put('/dataServiceRest/catalogs')
      .send([{ ...catalog, catalogEntries: [] }])
      .expect(200);
    expect((await put(written.uuid, { ...written, text: 'y' }).expect(200)).body).toMatchObject({
      text: 'y',
      cause: 3,
      causeText: 'tool worn',
    });
    await put(written.uuid, { text: 'y', cause: 4 }).expect(400);
    expect((await put(written.uuid, { text: 'y' }).expect(200)).body).not.toHaveProperty('cause');
  });

  it('need their rights, and tell who wrote and changed them', async () => {
    const { name, line, cell, bore } = await measured();
    const path = `p${name}/pcell/`;
    let uuid = '';
    await inspection.as(user('ada', path, ['note:write', 'measurement:read']), async () => {
      const note = await write({ characteristicUuid: bore, text: 'of ada' });
      expect(note.user).toBe('ada');
      ({ uuid } = note);
      await post({ partUuid: line, text: 'x' }).expect(403);
      await get(`?partUuid=${line}`).expect(403);
    });
    const ofLine = await write({ partUuid: line, text: 'of the line' });
    await inspection.as(user('bob', path, ['measurement:read']), async () => {
      expect(await texts(`?partPath=/${name}`)).toEqual(['of ada']);
      await put(uuid, { text: 'x' }).expect(403);
      await remove(uuid).expect(403);
      await post({ partUuid: cell, text: 'x' }).expect(403);
      await get(`/${ofLine.uuid}`).expect(403);
    });
    await inspection.as(user('eve', path, ['note:write', 'measurement:read']), async () => {
      expect((await put(uuid, { text: 'of eve' }).expect(200)).body).toMatchObject({ user: 'ada', modifiedBy: 'eve' });
    });
  });

  it('are announced with the part, and the characteristic if they are about one', async () => {
    const { cell, bore } = await measured();
    const [ofPart, ofBore] = [randomUUID(), randomUUID()];
    const events = await plan.eventsOf(async () => {
      await post({ uuid: ofPart, partUuid: cell, text: 'x' }).expect(201);
      await post({ uuid: ofBore, characteristicUuid: bore, text: 'x' }).expect(201);
      await put(ofPart, { text: 'y' }).expect(200);
      await put(ofPart, { text: '' }).expect(400);
      await remove(ofBore).expect(200);
    });
    expect(events).toEqual([
      { type: 'NoteCreated', NoteUuid: ofPart, PartUuid: cell },
      { type: 'NoteCreated', NoteUuid: ofBore, PartUuid: cell, CharacteristicUuid: bore },
      { type: 'NoteModified', NoteUuid: ofPart, PartUuid: cell },
      { type: 'NoteDeleted', NoteUuid: ofBore, PartUuid: cell, CharacteristicUuid: bore },
    ]);
  });

  describe('whose subject is deleted', () => {
    it('go with their measurement, and the others stay', async () => {
      const { cell, bore, measurements } = await measured(2);
      const [first, second] = await Promise.all(
        measurements.map((measurementUuid) => write({ characteristicUuid: bore, measurementUuid, text: measurementUuid })),
      );
      await write({ characteristicUuid: bore, text: 'stays' });
      const events = await plan.eventsOf(async () => {
        await request(inspection.server).delete(`/dataServiceRest/measurements/${measurements[0]}`).expect(200);
      });
      expect(events).toContainEqual({ type: 'NoteDeleted', NoteUuid: first?.uuid, PartUuid: cell, CharacteristicUuid: bore });
      expect((await texts(`?characteristicUuid=${bore}`)).sort()).toEqual([second?.text, 'stays'].sort());
    });

    it('go with their item, announced before its own deletion', async () => {
      const { line, cell, bore, depth, measurements } = await measured();
      const notes = [
        await write({ characteristicUuid: depth, text: 'depth' }),
        await write({ characteristicUuid: bore, measurementUuid: measurements[0], text: 'bore' }),
        await write({ partUuid: cell, text: 'cell' }),
      ];
      const ofLine = await write({ partUuid: line, text: 'line' });
      const events = await plan.eventsOf(async () => {
        await request(inspection.server).delete(`/dataServiceRest/parts/${cell}`).expect(200);
      });
      const types = events.map(({ type }) => type);
      expect(types.filter((type) => type === 'NoteDeleted')).toHaveLength(3);
      expect(types.lastIndexOf('NoteDeleted')).toBeLessThan(types.indexOf('CharacteristicDeleted'));
      for (const { uuid } of notes) await get(`/${uuid}`).expect(404);
      await get(`/${ofLine.uuid}`).expect(200);
    });

    it('follow a characteristic to another part', async () => {
      const { name, line, bore } = await evaluations.branch();
      const { uuid } = await write({ characteristicUuid: bore, text: 'x' });
      await plan.put('characteristic', [{ uuid: bore, path: `PC:/${name}/bore/` }]).expect(200);
      expect((await get(`/${uuid}`).expect(200)).body).toMatchObject({ partUuid: line, characteristicUuid: bore });
    });
  });
});
