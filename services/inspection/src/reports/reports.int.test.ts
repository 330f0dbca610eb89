import { execFile } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { PathScope, type Principal } from '@sinebar/access-control';
import { keptReportListSchema, keptReportSchema, type KeptReport, type PartOverview } from '@sinebar/contracts';
import { describeWith, eventually } from '@sinebar/testing';
import { readPdf } from '@sinebar/testing/pdf';
import { SERVICE_SUBJECTS } from '@sinebar/runtime';
import sharp from 'sharp';
import request from 'supertest';
import { AnalysisClient, timeOf } from '../analysis/analysed-part.fixture.ts';
import { messageOf } from '../evaluation/evaluation-client.fixture.ts';
import { define, sql } from '../plan/plan-client.fixture.ts';
import { ReportTurns } from './writing/report-turns.ts';
import { startInspection, type RunningInspection } from '../running-inspection.fixture.ts';

const PATH = '/reportServiceRest/reports';
const LIMITS = { 2101: 20, 2110: 19.9, 2111: 20.1 };
const TO = '2026-02-01T00:00:00.000Z';

const user = (name: string, path: string, rights: readonly string[]): Principal => ({
  name,
  rightsKey: name,
  scopeOf: (right) => (rights.includes(right) ? PathScope.below(path) : PathScope.NOTHING),
  holds: () => false,
});

describeWith(['postgres'], 'reports', () => {
  let inspection: RunningInspection;
  let folder = '';
  let measured: { part: string; name: string; uuids: string[]; measurements: string[] };
  const analysis = new AnalysisClient(() => inspection);

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sinebar-templates-'));
    inspection = await startInspection({ SINEBAR_REPORT_TEMPLATES: folder });
    for (const key of Object.keys(LIMITS)) await define(inspection, { key: Number(key), entity: 'characteristic', type: 'Float' });
    const { part, uuids, name } = await analysis.part(LIMITS, LIMITS, {});
    const rows = Array.from({ length: 30 }, (_, i) => ({
      [uuids[0]!]: 20 + Math.sin(i) / 50,
      [uuids[1]!]: 20.05 + Math.cos(i) / 10,
      [uuids[2]!]: i,
    }));
    measured = { part, name, uuids, measurements: await analysis.measure(part, rows) };
  });
  afterAll(async () => {
    await inspection.stop();
    await rm(folder, { recursive: true });
  });

  const post = (body: object) => request(inspection.server).post(PATH).send(body).buffer(true).parse(bytesOf);
  const order = (more: object = {}) => ({ template: 'part', selection: { partUuid: measured.part }, to: TO, ...more });
  const made = async (body: object) => readPdf((await post(body).expect(200)).body as Buffer);
  const get = (address: string) => request(inspection.server).get(`${PATH}${address}`);
  const keep = async (body: object = order()): Promise<KeptReport> => {
    const { uuid } = (
      await request(inspection.server)
        .post(PATH)
        .send({ ...body, keep: true })
        .expect(202)
    ).body as { uuid: string };
    let report: KeptReport | undefined;
    await eventually(async () => {
      report = keptReportSchema.parse((await get(`/${uuid}`).expect(200)).body);
      return report.state !== 'running';
    });
    return report!;
  };

  it('have the numbers of the interface, and attach them with all digits [D13.1]', async () => {
    const answer = await post(order()).expect(200);
    expect(answer.headers).toMatchObject({ 'content-type': 'application/pdf' });
    expect(answer.headers['content-disposition']).toContain(`${measured.name} 2026-02-01.pdf`);
    const { pages, attachments, isTagged } = await readPdf(answer.body as Buffer);
    expect(isTagged).toBe(true);
    const overview = await analysis.read<PartOverview>(`parts/${measured.part}/overview?to=${TO}`);
    const [{ mean = NaN } = {}] = overview.characteristics;
    const line = attachments['values.csv']?.split('\r\n').find((each) => each.startsWith(measured.uuids[0]!)) ?? '';
    expect(line).toContain(String(mean));
    expect(pages.join(' ')).toContain(mean.toFixed(4));
  });

  it('are made of single characteristics, of measurements, and in German', async () => {
    const [uuid = ''] = measured.uuids;
    const characteristic = await made(
      order({ template: 'characteristic', language: 'de', selection: { partUuid: measured.part, characteristicUuids: [uuid] } }),
    );
    expect(characteristic.language).toBe('de');
    expect(characteristic.pages.join(' ')).toContain('Werte über der Zeit');
    expect(characteristic.pages.join(' ')).not.toMatch(/ c1 /);
    const measurement = await made(
      order({ template: 'measurement', selection: { partUuid: measured.part, measurementUuid: measured.measurements[3] } }),
    );
    expect(measurement.pages.join(' ')).toContain('20.003');
    for (const template of ['first-article', 'dimensional-results', 'capability-list', 'alarms']) {
      expect((await made(order({ template }))).pages.length).toBeGreaterThan(0);
    }
  });

  it('are Excel workbooks of their table', async () => {
    const answer = await post(order({ format: 'xlsx', template: 'capability-list' })).expect(200);
    expect(answer.headers['content-type']).toContain('spreadsheetml');
    expect(answer.headers['content-disposition']).toContain('2026-02-01.xlsx');
    expect((answer.body as Buffer).subarray(0, 2).toString()).toBe('PK');
    const kept = order({ format: 'xlsx', keep: true });
    expect(messageOf(await request(inspection.server).post(PATH).send(kept).expect(400))).toContain(
      'must be pdf for a report that is kept',
    );
  });

  it('hold the values of their period only', async () => {
    const [uuid = ''] = measured.uuids;
    const { attachments } = await made(order({ from: timeOf(0), to: timeOf(10) }));
    const [head = '', ...lines] = attachments['values.csv']?.split('\r\n') ?? [];
    const line = lines.find((each) => each.startsWith(uuid)) ?? '';
    expect(line.split(',')[head.split(',').indexOf('count')]).toBe('10');
  });

  it('have the same bytes for the same input', async () => {
    const [one, two] = await Promise.all([post(order()), post(order())]);
    expect((one.body as Buffer).equals(two.body as Buffer)).toBe(true);
  });

  it('stand for a part without values', async () => {
    const { part } = await analysis.part();
    expect((await made(order({ selection: { partUuid: part } }))).pages.join(' ')).toContain('There are no characteristics.');
  });

  it('are kept with their hash, listed, read and deleted [D13.2]', async () => {
    const report = await keep();
    expect(report).toMatchObject({ state: 'done', template: 'part', partUuid: measured.part, whole: true, language: 'en', to: TO });
    const content = await get(`/${report.uuid}/content`).buffer(true).parse(bytesOf).expect(200);
    const bytes = content.body as Buffer;
    expect(bytes).toHaveLength(report.sizeBytes ?? 0);
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(report.sha256);
    expect((await readPdf(bytes)).pages).toHaveLength(report.pages ?? 0);
    const listed = keptReportListSchema.parse((await get(`?partUuid=${measured.part}`).expect(200)).body);
    expect(listed).toContainEqual(report);
    await request(inspection.server).delete(`${PATH}/${report.uuid}`).expect(200);
    await get(`/${report.uuid}`).expect(404);
    await get(`/${report.uuid}/content`).expect(404);
  });

  it('hold only what their reader may see, and say so; others see whole ones only [D13.3]', async () => {
    const { name, part } = measured;
    const within = user('ann', `p${name}/`, ['plan:read', 'measurement:read', 'rawData:read']);
    const report = await keep();
    // It may have a drawing.
    await inspection.as(user('ann', `p${name}/`, ['plan:read', 'measurement:read']), async () => {
      await get(`/${report.uuid}`).expect(404);
    });
    await inspection.as(within, async () => {
      expect((await made(order())).pages[0]).not.toContain('not whole');
      await get(`/${report.uuid}`).expect(200);
      expect(messageOf(await request(inspection.server).delete(`${PATH}/${report.uuid}`).expect(403))).toContain('somebody else');
    });
    await inspection.as(user('eve', 'pOther/', ['plan:read', 'measurement:read']), async () => {
      expect(messageOf(await request(inspection.server).post(PATH).send(order()).expect(403))).toContain(part);
      await get(`/${report.uuid}`).expect(404);
      expect((await get('').expect(200)).body).toEqual([]);
    });
  });

  it('have the drawing of the part for who may read its files, and say that they are not whole to others [D13.3, D13.6]', async () => {
    const image = await sharp({ create: { width: 40, height: 30, channels: 3, background: 'white' } })
      .png()
      .toBuffer();
    for (const key of [2810, 2811]) await define(inspection, { key, entity: 'characteristic', type: 'Float' });
    await define(inspection, { key: 2809, entity: 'characteristic', type: 'AlphaNumeric' });
    const { part, name } = await analysis.part({ ...LIMITS, 2809: '417', 2810: '0.5', 2811: '0.5' });
    const asked: unknown[] = [];
    const responder = await inspection.bus.respond(SERVICE_SUBJECTS.findDrawing, (question) => {
      asked.push(question);
      return Promise.resolve({ name: 'plate.png', image: image.toString('base64') });
    });
    const form = async () => (await made(order({ template: 'first-article', selection: { partUuid: part } }))).pages;
    const drawn = await form();
    expect(drawn[3]).toMatch(/Drawing: plate\.png.*417/s);
    expect(drawn.join(' ')).not.toContain('not whole');
    await inspection.as(user('ann', `p${name}/`, ['plan:read', 'measurement:read']), async () => {
      const pages = await form();
      expect(pages).toHaveLength(3);
      expect(pages.join(' ')).toContain('not whole');
    });
    expect(asked).toEqual([{ partUuid: part }]);
    await responder.stop();
    expect((await form()).join(' ')).toContain('Make the report again in a few minutes.');
  });

  it('of a reader of a part below hold nothing of the part itself [D13.3]', async () => {
    await define(inspection, { key: 1001, entity: 'part', type: 'AlphaNumeric' });
    const name = `line ${randomUUID()}`;
    const [line = '', below = ''] = [randomUUID(), randomUUID()];
    const parts = [
      { uuid: line, path: `P:/${name}/`, attributes: { 1001: 'SECRET-4711' } },
      { uuid: below, path: `PP:/${name}/cell/` },
    ];
    await request(inspection.server).post('/dataServiceRest/parts').send(parts).expect(201);
    const bore = { uuid: randomUUID(), path: `PPC:/${name}/cell/bore/`, attributes: LIMITS };
    await request(inspection.server).post('/dataServiceRest/characteristics').send([bore]).expect(201);
    const [ofLine = ''] = await analysis.measure(line, [{}]);
    await analysis.measure(below, [{ [bore.uuid]: 20 }]);
    await request(inspection.server).put(`/reportServiceRest/firstArticle/${line}`).send({ serialNumber: 'SECRET-1' }).expect(200);
    const formOf = async () => (await made(order({ template: 'first-article', selection: { partUuid: line } }))).pages.join(' ');
    expect(await formOf()).toContain('SECRET-4711');
    await inspection.as(user('ann', `p${name}/pcell/`, ['plan:read', 'measurement:read']), async () => {
      const form = await formOf();
      expect(form).toContain('not whole');
      expect(form).toContain('bore');
      expect(form).not.toContain('SECRET');
      const protocol = order({ template: 'measurement', selection: { partUuid: line, measurementUuid: ofLine } });
      await request(inspection.server).post(PATH).send(protocol).expect(403);
    });
  });

  it('take turns: one user has two written at the same time', async () => {
    const begin = async () =>
      (
        (
          await request(inspection.server)
            .post(PATH)
            .send(order({ keep: true }))
            .expect(202)
        ).body as { uuid: string }
      ).uuid;
    const first = await Promise.all([begin(), begin()]);
    await begin();
    const states = await Promise.all(first.map(async (uuid) => ((await get(`/${uuid}`)).body as KeptReport).state));
    expect(states).toContain('done');
  });

  it('are made for five users at once, and five of one user', async () => {
    const users = Array.from({ length: 5 }, (_, i) => user(`user ${i}`, `p${measured.name}/`, ['plan:read', 'measurement:read']));
    const five = () => Promise.all(users.map(async () => (await post(order()).expect(200)).body as Buffer));
    const nextUser = users.values();
    await inspection.as(
      () => nextUser.next().value!,
      async () => {
        const read = await Promise.all((await five()).map((bytes) => readPdf(bytes)));
        const authors = read.map(({ pages }) => /Made by +(user \d)/.exec(pages.join(' '))?.[1]);
        expect(authors.sort()).toEqual(users.map(({ name }) => name));
      },
    );
    const hashes = (await five()).map((bytes) => createHash('sha256').update(bytes).digest('hex'));
    expect(new Set(hashes).size).toBe(1);
  }, 120_000);

  it('of many users are written by few processes at the same time, and none is refused [D13.10]', async () => {
    // The others have ended, or still do.
    await eventually(async () => (await reportProcesses()) === 0);
    let most = 0;
    let isOver = false;
    const watch = (async () => {
      while (!isOver) {
        most = Math.max(most, await reportProcesses());
        await delay(10);
      }
    })();
    const users = Array.from({ length: 12 }, (_, i) => user(`user ${i}`, `p${measured.name}/`, ['plan:read', 'measurement:read']));
    const nextUser = users.values();
    await inspection.as(
      () => nextUser.next().value!,
      async () => {
        await Promise.all(users.map(() => post(order({ template: 'alarms' })).expect(200)));
      },
    );
    isOver = true;
    await watch;
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThanOrEqual(new ReportTurns().limit);
  }, 180_000);

  it('that are kept fail with a sentence on a full disk, and leave nothing behind [D13.2]', async () => {
    const body = `BEGIN IF NEW.position > 0 THEN RAISE EXCEPTION 'no space left' USING ERRCODE = '53100'; END IF; RETURN NEW; END`;
    await sql(inspection, `CREATE FUNCTION refuse_content() RETURNS trigger LANGUAGE plpgsql AS $$ ${body} $$`);
    await sql(inspection, 'CREATE TRIGGER refuse BEFORE INSERT ON report_content FOR EACH ROW EXECUTE FUNCTION refuse_content()');
    // Its second piece is refused while its process still writes.
    const { part } = await analysis.part(...Array.from({ length: 800 }, () => LIMITS));
    const large = order({ template: 'capability-list', selection: { partUuid: part } });
    const report = await keep(large);
    expect(report).toMatchObject({ state: 'failed', reason: 'The storage of the database is full. Nothing was stored.' });
    expect(messageOf(await get(`/${report.uuid}/content`).expect(404))).toContain('The storage of the database is full.');
    expect(await sql(inspection, 'SELECT FROM report_content WHERE report_uuid = $1', [report.uuid])).toEqual([]);
    await sql(inspection, 'DROP FUNCTION refuse_content() CASCADE');
    const again = await keep(large);
    expect([again.state, again.reason]).toEqual(['done', undefined]);
  }, 120_000);

  it('of a plant are made by its templates, whose mistakes are told with their line [D13.4]', async () => {
    await writeFile(
      join(folder, 'ours.yaml'),
      'title: Our list\nfor: part\nsections:\n  - section: characteristics\n    columns: [name, mean]\n  - section: characteristics\n    columns: [name, unit]\n',
    );
    await writeFile(
      join(folder, 'broken.yaml'),
      'title: Broken\nfor: part\nsections:\n  - section: characteristics\n    columns: [nmae]\n',
    );
    await mkdir(join(folder, 'folder.yaml'));
    await writeFile(join(folder, 'latin.yaml'), Buffer.from('for: part\ntitle: Prüfbericht\n', 'latin1'));
    const templates = (await request(inspection.server).get('/reportServiceRest/templates').expect(200)).body as {
      name: string;
      builtIn: boolean;
      problem?: string;
    }[];
    expect(templates).toContainEqual({
      name: 'ours',
      builtIn: false,
      for: 'part',
      title: { en: 'Our list', de: 'Our list' },
      sections: ['characteristics', 'characteristics'],
      pages: 'none',
      worst: 5,
    });
    expect(templates.find(({ name }) => name === 'broken')?.problem).toContain('line 5, column 15');
    expect(templates.find(({ name }) => name === 'folder')?.problem).toContain('The file folder.yaml cannot be read (EISDIR).');
    expect(templates.find(({ name }) => name === 'latin')?.problem).toContain('line 2, column 1: The line is not UTF-8.');
    for (const template of ['folder', 'latin']) await request(inspection.server).post(PATH).send(order({ template })).expect(400);
    const ours = await made(order({ template: 'ours' }));
    expect(ours.title).toContain('Our list');
    // Each of the two tables has all characteristics.
    expect(ours.pages.join(' ').match(/ c1 /g)).toHaveLength(2);
    expect(
      messageOf(
        await request(inspection.server)
          .post(PATH)
          .send(order({ template: 'broken' }))
          .expect(400),
      ),
    ).toContain('no column "nmae"');
  });

  it('print what is typed once for a part, which is deleted with it [D13.5]', async () => {
    const { part } = await analysis.part(LIMITS);
    const address = `/reportServiceRest/firstArticle/${part}`;
    const read = await request(inspection.server).get(address).expect(200);
    expect(read.body).toEqual({});
    const put = (body: object) => request(inspection.server).put(address).send(body);
    const { etag = '' } = (
      await put({ serialNumber: 'SN 0001', comments: 'None.' })
        .set('If-Match', read.headers['etag'] as string)
        .expect(200)
    ).headers as { etag?: string };
    await put({ serialNumber: 'SN 2' })
      .set('If-Match', read.headers['etag'] as string)
      .expect(412);
    await request(inspection.server).get(address).set('If-None-Match', etag).expect(304);
    const { pages } = await made(order({ template: 'first-article', selection: { partUuid: part } }));
    expect(pages.join(' ')).toContain('SN 0001');
    expect(messageOf(await put({ serialNo: 'x' }).expect(400))).toContain('serialNumber');
    expect(messageOf(await put({ serialNumber: 'x'.repeat(1001) }).expect(400))).toContain('longer than 1000');
    await request(inspection.server).get(`/reportServiceRest/firstArticle/${randomUUID()}`).expect(404);
    await inspection.as(user('eve', 'pOther/', ['plan:read', 'note:write']), async () => {
      await request(inspection.server).get(address).expect(403);
      await put({ serialNumber: 'x' }).expect(403);
    });
    const stored = async () => (await sql(inspection, 'SELECT FROM first_article')).length;
    const before = await stored();
    await request(inspection.server).delete(`/dataServiceRest/parts/${part}`).expect(200);
    expect(await stored()).toBe(before - 1);
  });

  it('are refused with a sentence', async () => {
    const unknown = randomUUID();
    const cases: [object, number, string][] = [
      [order({ template: 'prat' }), 400, 'There is no template "prat". The templates are part,'],
      [order({ selection: {} }), 400, 'partUuid'],
      [order({ selection: { partUuid: unknown } }), 404, unknown],
      [order({ selection: { partUuid: measured.part, characteristicUuids: [unknown] } }), 404, unknown],
      [order({ template: 'measurement' }), 400, 'selection.measurementUuid'],
      [order({ template: 'measurement', selection: { partUuid: measured.part, measurementUuid: unknown } }), 404, unknown],
      [order({ from: '2027-01-01T00:00:00Z' }), 400, 'lies before'],
      [order({ language: 'fr' }), 400, 'must be one of en, de'],
      [order({ options: { pages: 'some' } }), 400, 'must be one of worst, all, none'],
      [order({ optons: {} }), 400, 'the nearest one is options'],
      [order({ template: '../../secrets' }), 400, 'There is no template'],
    ];
    for (const [body, status, message] of cases) {
      expect(messageOf(await request(inspection.server).post(PATH).send(body).expect(status))).toContain(message);
    }
    await get(`/${unknown}`).expect(404);
    await get('/x').expect(400);
  });

  it('leave nothing behind when their client goes', async () => {
    const asked = request(inspection.server).post(PATH).send(order());
    const ended = asked.then(
      () => 'answered',
      () => 'aborted',
    );
    setTimeout(() => void asked.abort(), 50);
    await ended;
    expect((await made(order())).pages.length).toBeGreaterThan(0);
  });
});

/** Counts the processes that write reports for this one. */
async function reportProcesses(): Promise<number> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'ppid=,stat=,args=']);
  const isOwn = new RegExp(`^ *${process.pid} +[^Z].*report-process`);
  return stdout.split('\n').filter((line) => isOwn.test(line)).length;
}

/** Reads the bytes of an answer. */
function bytesOf(response: request.Response, done: (error: Error | null, body: unknown) => void): void {
  const stream = response as unknown as NodeJS.ReadableStream;
  const chunks: Buffer[] = [];
  stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  stream.on('end', () => done(null, Buffer.concat(chunks)));
}
