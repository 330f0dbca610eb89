import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import { ROOT_PART_UUID } from '@sinebar/contracts';
import { CHARACTERISTICS, characteristicOf, eventually, markedPathOf, MEASURED, PARTS } from '@sinebar/testing';
import { ADMIN, type Asked, type RunningProduct } from './running-product.fixture.ts';

/** Attributes of parts: the place, and a text that only permitted users may see. */
export const PLACE_KEY = 1001;
export const MARKER_KEY = 1002;
export const CHARACTERISTIC_KEY = 2001;
/** Attributes of measurements: the place of the part, a shared text, and a text that only permitted users may see. */
export const PART_KEY = 14;
export const SAME_KEY = 15;
const MEASUREMENT_MARKER_KEY = 16;

/** Archive and image: files 0 and 1 of each measured part. */
const ARCHIVE = Buffer.from(
  'UEsDBBQAAAAAAAAAIVz+IM+CBgAAAAYAAAAKAAAAaW5zaWRlLnR4dG1hcmtlclBLAQIUAxQAAAAAAAAAIVz+IM+CBgAAAAYAAAAKAAAAAAAAAAAAAACAAQAAAABpbnNpZGUudHh0UEsFBgAAAAABAAEAOAAAAC4AAAAAAA==',
  'base64',
);
const IMAGE = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC', 'base64');

function markerOf(place: string): string {
  return `marker of ${place}.`;
}

/** Items whose evaluations the tables change. */
const EVALUATED = ['/A', '/A/sub', 'PCC:/A/c/d/'];

/** The plan of the table of cases on a running product, with measurements and files. */
export class World {
  private readonly product: RunningProduct;
  private readonly items = new Map<string, string>([['/', ROOT_PART_UUID]]);
  private readonly measurements = new Map<string, string>();
  /**
   * Places by the uuid of a part, characteristic or measurement, and by the identifier of a value; measurements and values by their part.
   */
  readonly places = new Map<string, string>();
  /** Position of the feed before anything was created. */
  start = '';

  constructor(product: RunningProduct) {
    this.product = product;
  }

  /** Deletes the existing data and creates everything anew, under new uuids. */
  async build(): Promise<void> {
    await this.admin({ method: 'POST', path: `/dataServiceRest/parts/${ROOT_PART_UUID}/clear` });
    await this.define();
    this.start = (await this.product.read<{ next: string }>(ADMIN, '/eventServiceRest/changes')).next;
    this.items.clear();
    this.measurements.clear();
    this.places.clear();
    this.name('/', ROOT_PART_UUID);
    for (const place of [...PARTS.slice(1), ...CHARACTERISTICS]) this.name(place, randomUUID());
    const attributes = (place: string) => ({ [PLACE_KEY]: place, [MARKER_KEY]: markerOf(place) });
    await this.admin({ method: 'PUT', path: '/dataServiceRest/parts', body: [{ uuid: ROOT_PART_UUID, attributes: attributes('/') }] });
    await this.admin({
      method: 'POST',
      path: '/dataServiceRest/parts',
      body: PARTS.slice(1).map((place) => ({ uuid: this.uuid(place), path: markedPathOf(place), attributes: attributes(place) })),
    });
    await this.admin({
      method: 'POST',
      path: '/dataServiceRest/characteristics',
      body: CHARACTERISTICS.map((path) => ({ uuid: this.uuid(path), path })),
    });
    for (const place of MEASURED) {
      this.measurements.set(place, randomUUID());
      this.places.set(this.measurement(place), place);
      this.places.set(this.value(place), place);
    }
    await this.admin({
      method: 'POST',
      path: '/dataServiceRest/values',
      body: MEASURED.map((place, i) => ({ uuid: this.measurement(place), ...this.measurementContent(place, i + 1) })),
    });
  }

  async addFiles(): Promise<void> {
    for (const place of MEASURED) {
      await this.upload(`part/${this.uuid(place)}/0`, `${markerOf(place)}zip`, ARCHIVE);
      await this.upload(`part/${this.uuid(place)}/1`, `${markerOf(place)}png`, IMAGE);
      for (const target of [
        `characteristic/${this.uuid(characteristicOf(place))}`,
        `measurement/${this.measurement(place)}`,
        `value/${encodeURIComponent(this.value(place))}`,
      ])
        await this.upload(`${target}/0`, `${markerOf(place)}txt`, Buffer.from(markerOf(place)));
    }
  }

  measurementContent(place: string, value: number) {
    return {
      partUuid: this.uuid(place),
      attributes: {
        4: `2026-01-0${value}T00:00:00Z`,
        [PART_KEY]: place,
        [SAME_KEY]: 'same',
        [MEASUREMENT_MARKER_KEY]: markerOf(place),
      },
      characteristics: { [this.uuid(characteristicOf(place))]: { 1: String(value) } },
    };
  }

  /** Returns the uuid of a part or characteristic; a missing place has an unused one. */
  uuid(place: string): string {
    return this.items.get(place) ?? randomUUID();
  }

  get itemUuids(): string[] {
    return [...this.items.values()];
  }

  get measurementUuids(): string[] {
    return [...this.measurements.values()];
  }

  measurement(place: string): string {
    return this.measurements.get(place) ?? randomUUID();
  }

  /** Returns the identifier of the value of the characteristic `c`. */
  value(place: string): string {
    return `${this.measurement(place)}|${this.uuid(characteristicOf(place))}`;
  }

  /**
   * Reads everything that a refused request must not change: the plan, settings, evaluations, measurements with values,
   * definitions, catalogs and files.
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
      ...files.map((list) => list.filter(({ target }) => this.places.has(target.uuid))),
      ...(await Promise.all(others.map((path) => this.product.read(ADMIN, `/dataServiceRest/${path}`)))),
      await this.product.read(ADMIN, '/analysisServiceRest/settings'),
      ...(await Promise.all(EVALUATED.map((place) => this.evaluationHistory(place)))),
    ];
  }

  private async evaluationHistory(place: string): Promise<string> {
    const kind = place.includes(':') ? 'characteristics' : 'parts';
    const path = `/analysisServiceRest/${kind}/${this.uuid(place)}/evaluation/history`;
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

  private name(place: string, uuid: string): void {
    this.items.set(place, uuid);
    this.places.set(uuid, place);
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
    const path = (entity: string) => `/dataServiceRest/configuration/${entity}`;
    await this.admin({ method: 'PUT', path: path('part'), body: [text(PLACE_KEY), text(MARKER_KEY)] });
    await this.admin({ method: 'PUT', path: path('characteristic'), body: [text(CHARACTERISTIC_KEY)] });
    await this.admin({ method: 'PUT', path: path('measurement'), body: [PART_KEY, SAME_KEY, MEASUREMENT_MARKER_KEY].map(text) });
  }

  private upload(address: string, name: string, body: Buffer): Promise<void> {
    return this.admin({ method: 'POST', path: `/rawDataServiceRest/rawData/${address}`, headers: fileHeaders(name), body });
  }
}

export function fileHeaders(name: string): Record<string, string> {
  return { 'Content-Type': 'application/octet-stream', 'Content-Disposition': `attachment; filename*=UTF-8''${encodeURIComponent(name)}` };
}
