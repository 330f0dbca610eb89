import type { Characteristic, Part, WithHistory } from '@sinebar/contracts';
import { segment } from '../http/query-text.ts';
import type { RequestOptions, RestConnection } from '../http/rest-connection.ts';
import { chosen, type AttributeChoice, type WrittenAttributes } from './attributes.ts';

/** A part or characteristic to create. */
export interface NewPlanItem {
  uuid: string;
  /** Path with type marker: `PP:/assembly/door/`, `PPC:/assembly/door/gap/`. */
  path: string;
  attributes?: WrittenAttributes;
  /** Comment of the change; stored while versioning is on. */
  comment?: string;
}

/** A change of an item: missing members stay unchanged; `attributes` replaces all. spec: decisions.md 4.6 */
export type PlanItemChange = Pick<NewPlanItem, 'uuid'> & Partial<Omit<NewPlanItem, 'uuid'>>;

export interface PartQuery extends RequestOptions {
  partUuids?: readonly string[];
  /** Path without type marker: `/assembly/door`. */
  partPath?: string;
  /** Levels below the part; default 1. */
  depth?: number;
  withHistory?: boolean;
  requestedPartAttributes?: AttributeChoice;
  searchCondition?: string;
}

export interface CharacteristicQuery extends RequestOptions {
  charUuids?: readonly string[];
  partPath?: string;
  /** Levels below the part; default all. */
  depth?: number;
  withHistory?: boolean;
  requestedCharacteristicAttributes?: AttributeChoice;
  searchCondition?: string;
}

export interface PlanItemQuery extends RequestOptions {
  /** Uuids of the parts whose items are listed; default: the root part. */
  parentUuids?: readonly string[];
  /** Levels below the parents; default 1. */
  depth?: number;
  requestedPartAttributes?: AttributeChoice;
  requestedCharacteristicAttributes?: AttributeChoice;
}

/** Selects parts and characteristics to count; by default all. */
export interface PlanItemCountQuery extends RequestOptions {
  parentUuids?: readonly string[];
  itemUuids?: readonly string[];
  /** Levels below the parents; default all. */
  depth?: number;
  searchCondition?: string;
  restrictToEntity?: 'None' | 'Part' | 'Characteristic' | 'CharacteristicWithoutIntermediateParts';
}

export interface UpdateOptions extends RequestOptions {
  /** True to keep the earlier state; used only where the server leaves that choice to clients. */
  versioningEnabled?: boolean;
}

const PLAN_ITEMS = '/dataServiceRest/inspectionPlanItems';
const PARTS = '/dataServiceRest/parts';
const CHARACTERISTICS = '/dataServiceRest/characteristics';

/** Parts and characteristics in one list, parents before children. spec: inspection-service.md, Inspection plan */
export class PlanItems {
  private readonly connection: RestConnection;

  constructor(connection: RestConnection) {
    this.connection = connection;
  }

  list({ signal, ...query }: PlanItemQuery = {}): Promise<(Part | Characteristic)[]> {
    return this.connection.json({ method: 'GET', path: PLAN_ITEMS, query, ...(signal && { signal }) });
  }

  /** Counts what the caller may read. */
  async count({ signal, ...query }: PlanItemCountQuery = {}): Promise<number> {
    const path = `${PLAN_ITEMS}/count`;
    return (await this.connection.json<{ count: number }>({ method: 'GET', path, query, ...(signal && { signal }) })).count;
  }
}

/** spec: inspection-service.md, Parts */
export class Parts {
  private readonly connection: RestConnection;

  constructor(connection: RestConnection) {
    this.connection = connection;
  }

  list({ signal, ...query }: PartQuery = {}): Promise<WithHistory<Part>[]> {
    return this.connection.json({ method: 'GET', path: PARTS, query, ...(signal && { signal }) });
  }

  /** @throws SinebarError 404 */
  get(
    uuid: string,
    { signal, ...query }: Pick<PartQuery, 'withHistory' | 'requestedPartAttributes' | 'signal'> = {},
  ): Promise<WithHistory<Part>> {
    return this.connection.json({ method: 'GET', path: `${PARTS}/${segment(uuid)}`, query, ...(signal && { signal }) });
  }

  async count({ signal, ...query }: Omit<PartQuery, 'withHistory' | 'requestedPartAttributes'> = {}): Promise<number> {
    const answer = await this.connection.json<{ count: number }>({
      method: 'GET',
      path: `${PARTS}/count`,
      query,
      ...(signal && { signal }),
    });
    return answer.count;
  }

  /** Creates all items or none. */
  create(parts: readonly NewPlanItem[], options: RequestOptions = {}): Promise<void> {
    return this.connection.done({ method: 'POST', path: PARTS, json: parts, ...options });
  }

  update(changes: readonly PlanItemChange[], { signal, ...query }: UpdateOptions = {}): Promise<void> {
    return this.connection.done({ method: 'PUT', path: PARTS, json: changes, query, ...(signal && { signal }) });
  }

  /** Deletes the parts with everything below and in them. */
  delete(selector: { partUuids: readonly string[] } | { partPath: string }, options: RequestOptions = {}): Promise<void> {
    const query = chosen<{ partUuids?: readonly string[]; partPath?: string }>(
      selector,
      ['partUuids', 'partPath'],
      'the root part stays for ever',
    );
    return this.connection.done({ method: 'DELETE', path: PARTS, query: { ...query }, ...options });
  }

  /** Deletes the content of a part but not the part; `keepSubParts` also keeps the parts below. */
  clear(uuid: string, { keepSubParts = false, signal }: { keepSubParts?: boolean } & RequestOptions = {}): Promise<void> {
    const query = keepSubParts ? { keep: 'subParts' } : {};
    return this.connection.done({ method: 'POST', path: `${PARTS}/${segment(uuid)}/clear`, query, ...(signal && { signal }) });
  }
}

/** spec: inspection-service.md, Characteristics */
export class Characteristics {
  private readonly connection: RestConnection;

  constructor(connection: RestConnection) {
    this.connection = connection;
  }

  list({ signal, ...query }: CharacteristicQuery = {}): Promise<WithHistory<Characteristic>[]> {
    return this.connection.json({ method: 'GET', path: CHARACTERISTICS, query, ...(signal && { signal }) });
  }

  /** @throws SinebarError 404 */
  get(
    uuid: string,
    { signal, ...query }: Pick<CharacteristicQuery, 'withHistory' | 'requestedCharacteristicAttributes' | 'signal'> = {},
  ): Promise<WithHistory<Characteristic>> {
    return this.connection.json({ method: 'GET', path: `${CHARACTERISTICS}/${segment(uuid)}`, query, ...(signal && { signal }) });
  }

  async count({ signal, ...query }: Omit<CharacteristicQuery, 'withHistory' | 'requestedCharacteristicAttributes'> = {}): Promise<number> {
    const path = `${CHARACTERISTICS}/count`;
    return (await this.connection.json<{ count: number }>({ method: 'GET', path, query, ...(signal && { signal }) })).count;
  }

  /** Creates all items or none. */
  create(characteristics: readonly NewPlanItem[], options: RequestOptions = {}): Promise<void> {
    return this.connection.done({ method: 'POST', path: CHARACTERISTICS, json: characteristics, ...options });
  }

  update(changes: readonly PlanItemChange[], { signal, ...query }: UpdateOptions = {}): Promise<void> {
    return this.connection.done({ method: 'PUT', path: CHARACTERISTICS, json: changes, query, ...(signal && { signal }) });
  }

  /** Deletes the characteristics with those below them and all their values. */
  delete(selector: { charUuids: readonly string[] } | { charPath: string }, options: RequestOptions = {}): Promise<void> {
    const query = chosen<{ charUuids?: readonly string[]; charPath?: string }>(
      selector,
      ['charUuids', 'charPath'],
      'a part deletes its characteristics with it',
    );
    return this.connection.done({ method: 'DELETE', path: CHARACTERISTICS, query: { ...query }, ...options });
  }
}
