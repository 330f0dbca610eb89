import { csvField, hasInnerFormula } from '@sinebar/exchange';
import { parseMarkedPath, sharpSToSs } from '@sinebar/query-language';
import type { Session } from '@sinebar/database';
import type { ExportedMeasurement } from './measurement-export.ts';

/** Most items whose names are kept. */
const MAX_KEPT = 200_000;

/** A name as a field of CSV. */
interface CsvName {
  text: string;
  /** Whether its row needs a mark, see `writeCsvRow`. */
  isMarked: boolean;
}

type Texts = readonly (string | null | undefined)[];

/** A name with ß where one of the attributes of its item has that: names are stored with ss for it. */
export function writtenName(name: string, texts: Texts): string {
  return texts.find((text) => text?.includes('ß') === true && sharpSToSs(text) === name) ?? name;
}

/** Names of parts and characteristics, read when they are needed. */
export class PathReader {
  private readonly session: Session;
  private readonly separator: string;
  private readonly partPaths = new Map<number, string>();
  private readonly names = new Map<number, string>();
  private readonly csvNames = new Map<number, CsvName>();

  /** @param separator between the fields of CSV */
  constructor(session: Session, separator = ',') {
    this.session = session;
    this.separator = separator;
  }

  /** Reads what is missing for some measurements. */
  async load(measurements: readonly ExportedMeasurement[]): Promise<void> {
    const needed = new Set<number>();
    // Clears all before a batch: a cache that evicts single names could evict one that the batch needs.
    if (this.names.size > MAX_KEPT) {
      this.names.clear();
      this.csvNames.clear();
      this.partPaths.clear();
    }
    for (const { partId, values } of measurements) {
      if (!this.partPaths.has(partId)) needed.add(partId);
      for (const { characteristic } of values) if (!this.names.has(characteristic)) needed.add(characteristic);
    }
    if (needed.size === 0) return;
    const rows = await this.session.query<{ id: number; kind: string; marked_path: string }>(
      'SELECT id, kind, marked_path FROM plan_item WHERE id = ANY($1)',
      [[...needed]],
    );
    const read = rows.map(({ id, kind, marked_path: marked }) => {
      const path = parseMarkedPath(marked);
      return { id, kind, names: path.filter((element) => element.kind === kind).map(({ name }) => name) };
    });
    const texts = await this.readTexts(read.flatMap(({ id, names }) => (names.some((name) => name.includes('ss')) ? [id] : [])));
    for (const { id, kind, names } of read) {
      const own = texts.get(id) ?? [];
      const shown = names.map((name, i) => writtenName(name, own[names.length - 1 - i] ?? []).replace(/[\\/]/g, '\\$&'));
      if (kind === 'part') this.partPaths.set(id, `/${shown.join('/')}`);
      else this.names.set(id, shown.join('/'));
    }
  }

  /** Reads numbers and names of items and of those of their kind above them, the innermost first. */
  private async readTexts(ids: readonly number[]): Promise<ReadonlyMap<number, Texts[]>> {
    const found = new Map<number, Texts[]>();
    if (ids.length === 0) return found;
    const rows = await this.session.query<{ of: number; texts: Texts }>(
      `WITH RECURSIVE up AS (
         SELECT id AS of, 0 AS distance, parent_id, kind, attributes FROM plan_item WHERE id = ANY($1)
         UNION ALL
         SELECT up.of, distance + 1, item.parent_id, item.kind, item.attributes
         FROM up JOIN plan_item item ON item.id = up.parent_id AND item.kind = up.kind)
       SELECT of, ARRAY[attributes ->> '1001', attributes ->> '1002', attributes ->> '2001', attributes ->> '2002'] AS texts
       FROM up ORDER BY of, distance`,
      [ids],
    );
    for (const { of, texts } of rows) {
      const list = found.get(of);
      if (list) list.push(texts);
      else found.set(of, [texts]);
    }
    return found;
  }

  partPath(id: number): string {
    return this.partPaths.get(id) ?? '';
  }

  /** The names of a characteristic from its part on. */
  characteristicPath(id: number): string {
    return this.names.get(id) ?? '';
  }

  /** {@link characteristicPath}, ready for CSV. */
  csvName(id: number): CsvName {
    let written = this.csvNames.get(id);
    if (written === undefined) {
      const path = this.characteristicPath(id);
      this.csvNames.set(id, (written = { text: csvField(path, false, this.separator), isMarked: hasInnerFormula(path) }));
    }
    return written;
  }
}
