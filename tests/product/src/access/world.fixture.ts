import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import { ROOT_PART_UUID } from '@sinebar/contracts';
import { CHARACTERISTICS, characteristicOf, eventually, markedPathOf, MEASURED, PARTS } from '@sinebar/testing';
import { ADMIN, type Asked, type RunningProduct } from './running-product.fixture.ts';

/** Attributes of parts: the path, and a text that only permitted users may see. */
export const PATH_KEY = 1001;
export const MARKER_KEY = 1002;
export const CHARACTERISTIC_KEY = 2001;
export const TOLERANCE_KEY = 2111;
/** Attributes of measurements: the path of the part, a shared text, and a text that only permitted users may see. */
export const PART_KEY = 14;
export const SAME_KEY = 15;
const MEASUREMENT_MARKER_KEY = 16;

/** Archive and image: files 0 and 1 of each measured part. */
const ARCHIVE = Buffer.from(
  'UEsDBBQAAAAAAAAAIVz+IM+CBgAAAAYAAAAKAAAAaW5zaWRlLnR4dG1hcmtlclBLAQIUAxQAAAAAAAAAIVz+IM+CBgAAAAYAAAAKAAAAAAAAAAAAAACAAQAAAABpbnNpZGUudHh0UEsFBgAAAAABAAEAOAAAAC4AAAAAAA==',
  'base64',
);
const IMAGE = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC', 'base64');

function markerOf(itemPath: string): string {
  return `marker of ${itemPath}.`;
}

/** Items whose evaluations the tables change. */
const EVALUATED = ['/A', '/A/sub', 'PCC:/A/c/d/'];

/** The plan of the table of cases on a running product, with measurements and files. */
export class World {
  private readonly product: RunningProduct;
  private readonly items = new Map<string, string>([['/', ROOT_PART_UUID]]);
  private readonly measurements = new Map<string, string>();
  private readonly notes = new Map<string, string>();
  private readonly alarms = new Map<string, string>();
  private readonly mutes = new Map<string, string>();
  /**
   * Paths by the uuid of a part, characteristic, measurement, note, alarm or planned stop, and by the identifier of a value.
   * All but items have the path of their part.
   */
  readonly itemPaths = new Map<string, string>();
  /** Position of the feed before anything was created. */
  start = '';

  constructor(product: RunningProduct) {
    this.product = product;
  }

  /** Builds all that the table of cases names. */
  async buildAll(): Promise<void> {
    await this.build();
    await this.addNotesAndAlarms();
    await this.addFiles();
  }

  /** Deletes the existing data and creates the plan with its measurements anew, under new uuids. */
  async build(): Promise<void> {
    await this.admin({ method: 'POST', path: `/dataServiceRest/parts/${ROOT_PART_UUID}/clear` });
    await this.define();
    this.start = (await this.product.read<{ next: string }>(ADMIN, '/eventServiceRest/changes')).next;
    this.items.clear();
    this.measurements.clear();
    for (const uuids of [this.notes, this.alarms, this.mutes]) uuids.clear();
    this.itemPaths.clear();
    this.name('/', ROOT_PART_UUID);
    for (const itemPath of [...PARTS.slice(1), ...CHARACTERISTICS]) this.name(itemPath, randomUUID());
    const attributes = (itemPath: string) => ({ [PATH_KEY]: itemPath, [MARKER_KEY]: markerOf(itemPath) });
    await this.admin({ method: 'PUT', path: '/dataServiceRest/parts', body: [{ uuid: ROOT_PART_UUID, attributes: attributes('/') }] });
    await this.admin({
      method: 'POST',
      path: '/dataServiceRest/parts',
      body: PARTS.slice(1).map((itemPath) => ({
        uuid: this.uuid(itemPath),
        path: markedPathOf(itemPath),
        attributes: attributes(itemPath),
      })),
    });
    await this.admin({
      method: 'POST',
      path: '/dataServiceRest/characteristics',
      body: CHARACTERISTICS.map((path) => ({ uuid: this.uuid(path), path })),
    });
    for (const itemPath of MEASURED) {
      this.measurements.set(itemPath, randomUUID());
      this.itemPaths.set(this.measurement(itemPath), itemPath);
      this.itemPaths.set(this.value(itemPath), itemPath);
    }
    await this.admin({
      method: 'POST',
      path: '/dataServiceRest/values',
      body: MEASURED.map((itemPath, i) => ({ uuid: this.measurement(itemPath), ...this.measurementContent(itemPath, i + 1) })),
    });
  }

  /** Adds a note, a planned stop and an alarm to each measured part. */
  async addNotesAndAlarms(): Promise<void> {
    for (const itemPath of MEASURED) {
      const uuid = randomUUID();
      this.notes.set(itemPath, uuid);
      this.itemPaths.set(uuid, itemPath);
      const body = { uuid, partUuid: this.uuid(itemPath), measurementUuid: this.measurement(itemPath), text: markerOf(itemPath) };
      await this.admin({ method: 'POST', path: '/analysisServiceRest/notes', body });
      const stop = { uuid: randomUUID(), partUuid: this.uuid(itemPath), until: '2999-01-01T00:00:00Z', reason: markerOf(itemPath) };
      this.mutes.set(itemPath, stop.uuid);
      this.itemPaths.set(stop.uuid, itemPath);
      await this.admin({ method: 'POST', path: '/alarmServiceRest/mutes', body: stop });
      this.alarms.set(itemPath, randomUUID());
      this.itemPaths.set(this.alarm(itemPath), itemPath);
    }
    await this.product.inspectionSql(MEASURED.map((itemPath) => this.alarmStatement(itemPath)).join(';'));
  }

  async addFiles(): Promise<void> {
    for (const itemPath of MEASURED) {
      await this.upload(`part/${this.uuid(itemPath)}/0`, `${markerOf(itemPath)}zip`, ARCHIVE);
      await this.upload(`part/${this.uuid(itemPath)}/1`, `${markerOf(itemPath)}png`, IMAGE);
      for (const target of [
        `characteristic/${this.uuid(characteristicOf(itemPath))}`,
        `measurement/${this.measurement(itemPath)}`,
        `value/${encodeURIComponent(this.value(itemPath))}`,
      ])
        await this.upload(`${target}/0`, `${markerOf(itemPath)}txt`, Buffer.from(markerOf(itemPath)));
    }
  }

  measurementContent(itemPath: string, value: number) {
    return {
      partUuid: this.uuid(itemPath),
      attributes: {
        4: `2026-01-0${value}T00:00:00Z`,
        [PART_KEY]: itemPath,
        [SAME_KEY]: 'same',
        [MEASUREMENT_MARKER_KEY]: markerOf(itemPath),
      },
      characteristics: { [this.uuid(characteristicOf(itemPath))]: { 1: String(value) } },
    };
  }

  /** Returns the uuid of a part or characteristic; one that is missing has an unused one. */
  uuid(itemPath: string): string {
    return this.items.get(itemPath) ?? randomUUID();
  }

  get itemUuids(): string[] {
    return [...this.items.values()];
  }

  get measurementUuids(): string[] {
    return [...this.measurements.values()];
  }

  measurement(itemPath: string): string {
    return this.measurements.get(itemPath) ?? randomUUID();
  }

  /** Returns the uuid of the note about the measurement of a part. */
  note(itemPath: string): string {
    return this.notes.get(itemPath) ?? randomUUID();
  }

  /** Returns the uuid of the alarm of a part. */
  alarm(itemPath: string): string {
    return this.alarms.get(itemPath) ?? randomUUID();
  }

  /** Returns the uuid of the planned stop of a part. */
  mute(itemPath: string): string {
    return this.mutes.get(itemPath) ?? randomUUID();
  }

  /** Returns the identifier of the value of the characteristic `c`. */
  value(itemPath: string): string {
    return `${this.measurement(itemPath)}|${this.uuid(characteristicOf(itemPath))}`;
  }

  /**
   * Reads everything that a refused request must not change: the plan, settings, evaluations, notes, alarms, planned stops,
   * measurements with values, definitions, catalogs and files.
   */
  async state(): Promise<unknown> {
    const files = await Promise.all(
      ['part', 'characteristic', 'measurement', 'value'].map((entity) =>
        this.product.read<{ target: { uuid: string } }[]>(ADMIN, `/rawDataServiceRest/rawDataInformation/${entity}`),
      ),
    );
    const others = ['inspectionPlanItems', 'values?aggregation=All&order=14%20asc', 'configuration', 'catalogs'];
    return [
      // Files of earlier worlds are removed with a delay.
      ...files.map((list) => list.filter(({ target }) => this.itemPaths.has(target.uuid))),
      ...(await Promise.all(others.map((path) => this.product.read(ADMIN, `/dataServiceRest/${path}`)))),
      await this.product.read(ADMIN, '/analysisServiceRest/settings'),
      await this.product.read(ADMIN, '/analysisServiceRest/notes'),
      await this.product.read(ADMIN, '/alarmServiceRest/alarms'),
      await this.product.read(ADMIN, '/alarmServiceRest/mutes'),
      ...(await Promise.all(EVALUATED.map((itemPath) => this.evaluationHistory(itemPath)))),
    ];
  }

  private async evaluationHistory(itemPath: string): Promise<string> {
    const kind = itemPath.includes(':') ? 'characteristics' : 'parts';
    const path = `/analysisServiceRest/${kind}/${this.uuid(itemPath)}/evaluation/history`;
    const { status, text } = await this.product.send({ who: ADMIN, path });
    // The item may be deleted.
    return status === 404 ? '' : text;
  }

  /** Returns the position of the feed after all previous changes, once it has them. */
  async endOfFeed(): Promise<string> {
    const uuid = randomUUID();
    await this.admin({ method: 'POST', path: '/dataServiceRest/parts', body: [{ uuid, path: `P:/${uuid}/` }] });
    return eventually(async () => {
      const path = `/eventServiceRest/changes?limit=10000&after=${this.start}`;
      const { changes, next } = await this.product.read<{ changes: { data: { PartUuid?: string } }[]; next: string }>(ADMIN, path);
      expect(changes.some(({ data }) => data.PartUuid === uuid)).toBe(true);
      return next;
    });
  }

  async admin(asked: Omit<Asked, 'who'>): Promise<void> {
    const answer = await this.product.send({ who: ADMIN, ...asked });
    if (answer.status >= 300) throw new Error(`${asked.method} ${asked.path}: ${answer.status} ${answer.text}`);
  }

  private name(itemPath: string, uuid: string): void {
    this.items.set(itemPath, uuid);
    this.itemPaths.set(uuid, itemPath);
  }

  private async define(): Promise<void> {
    const { partAttributes } = await this.product.read<{ partAttributes: unknown[] }>(ADMIN, '/dataServiceRest/configuration');
    if (partAttributes.length >= 2) return;
    const text = (key: number) => ({
      key,
      description: String(key),
      type: 'AlphaNumeric',
      length: 200,
      definitionType: 'AttributeDefinition',
    });
    const tolerance = { key: TOLERANCE_KEY, description: 'tolerance', type: 'Float', definitionType: 'AttributeDefinition' };
    const path = (entity: string) => `/dataServiceRest/configuration/${entity}`;
    await this.admin({ method: 'PUT', path: path('part'), body: [text(PATH_KEY), text(MARKER_KEY)] });
    await this.admin({ method: 'PUT', path: path('characteristic'), body: [text(CHARACTERISTIC_KEY), tolerance] });
    await this.admin({ method: 'PUT', path: path('measurement'), body: [PART_KEY, SAME_KEY, MEASUREMENT_MARKER_KEY].map(text) });
  }

  /** Inserts an alarm. */
  private alarmStatement(itemPath: string): string {
    return `INSERT INTO alarm (uuid, part_id, characteristic_id, kind, rule, chart, state, revision, raised_at, point_count, detail, owner,
        reaction, is_muted, is_old)
      SELECT '${this.alarm(itemPath)}', part.id, item.id, 'process', '', '', 'raised', 1, now(), 1, '{}', '${markerOf(itemPath)}', '', false,
        false
      FROM plan_item part, plan_item item
      WHERE part.uuid = '${this.uuid(itemPath)}' AND item.uuid = '${this.uuid(characteristicOf(itemPath))}'`;
  }

  private upload(address: string, name: string, body: Buffer): Promise<void> {
    return this.admin({ method: 'POST', path: `/rawDataServiceRest/rawData/${address}`, headers: fileHeaders(name), body });
  }
}

export function fileHeaders(name: string): Record<string, string> {
  return { 'Content-Type': 'application/octet-stream', 'Content-Disposition': `attachment; filename*=UTF-8''${encodeURIComponent(name)}` };
}
