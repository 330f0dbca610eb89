import { csvField, hasInnerFormula } from '@sinebar/exchange';
import { parseMarkedPath, sharpSToSs } from '@sinebar/query-language';
import type { Session } from '@sinebar/database';
import type { ExportedMeasurement } from './measurement-export.js';

/** Most items whose names are kept. */
const MAX_KEPT = 200_000;

/** A name as a field of CSV. */
interface CsvName {
  text: string;
  /** Whether its row needs a mark, see `writeCsvRow`. */
  isMarked: boolean;
}

/** Names of parts and characteristics, read when they are needed. */
export class PathReader {
  private readonly session: Session;
  private readonly partPaths = new Map<number, string>();
  private readonly names = new Map<number, string>();
  private readonly csvNames = new Map<number, CsvName>();

  constructor(session: Session) {
    this.session = session;
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
    const rows = await this.session.query<{ id: number; kind: string; marked_path: string; texts: (string | null)[] }>(
      `SELECT id, kind, marked_path, ARRAY[attributes ->> '1001', attributes ->> '1002', attributes ->> '2001', attributes ->> '2002'] AS texts
         FROM plan_item WHERE id = ANY($1)`,
      [[...needed]],
    );
    for (const { id, kind, marked_path: marked, texts } of rows) {
      const path = parseMarkedPath(marked);
      const names = path.filter((element) => element.kind === kind).map(({ name }) => name);
      // Names are stored with ss for ß; the attribute has the text as it was written.
      const last = names.at(-1);
      const written = texts.find((text) => text?.includes('ß') === true && sharpSToSs(text) === last);
      if (typeof written === 'string') names.splice(-1, 1, written);
      const shown = names.map((name) => name.replace(/[\\/]/g, '\\$&'));
      if (kind === 'part') this.partPaths.set(id, `/${shown.join('/')}`);
      else this.names.set(id, shown.join('/'));
    }
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
      this.csvNames.set(id, (written = { text: csvField(path), isMarked: hasInnerFormula(path) }));
    }
    return written;
  }
}
