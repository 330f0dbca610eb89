import type { Session, TextRow } from '@sinebar/database';
import type { AttributeSelection } from '@sinebar/query-language';
import { MEASURED_VALUE_KEY, type Configuration } from '../configuration/configuration.js';
import { isoTime } from '../plan/plan-rows.js';
import { CharacteristicSetReader, type ReadSet } from './characteristic-set-reader.js';
import type { MeasurementStatistics } from './measurement-parameters.js';
import { statusText } from './measurement-statistics.js';
import { attributesText, shownKeys } from './shown-attributes.js';
import { ValuesWriter } from './values-text.js';

/** What of a measurement an answer shows. */
export interface MeasurementView {
  measurementAttributes: AttributeSelection;
  statistics: MeasurementStatistics;
  /** Left out for measurements without values. */
  values?: { attributes: AttributeSelection; characteristicUuids?: readonly string[] | undefined };
}

const HEAD_COLUMNS = ['m.uuid', 'p.uuid', 'm.attributes', 'm.last_modified', 'm.created', 'm.comment'];
const VALUE_COLUMNS = ['m.characteristic_set_id', 'm."values"', 'm.digits', 'm.extras'];
const SET_COLUMN = HEAD_COLUMNS.length;

/** Writes rows of measurements as the JSON objects that clients read, from the texts of the columns. */
export class MeasurementRenderer {
  /** Select list, of the measurement `m` and its part `p`. */
  readonly columns: string;
  private readonly statistics: MeasurementStatistics;
  private readonly isShown: ((key: string) => boolean) | undefined;
  private readonly sets: CharacteristicSetReader | undefined;
  private readonly valuesWriter: ValuesWriter | undefined;
  /** Comments are kept and shown only while the server versions. */
  private readonly versioning: boolean;

  /** @param sets of the same state of the plan, where no limits and all characteristics are needed */
  constructor(
    { measurementAttributes, statistics, values }: MeasurementView,
    configuration: Configuration,
    versioning: boolean,
    sets: CharacteristicSetReader,
  ) {
    this.statistics = statistics;
    this.versioning = versioning;
    this.isShown = shownKeys('measurement', measurementAttributes, configuration);
    const needsValues = values !== undefined || statistics !== 'none';
    this.columns = (needsValues ? [...HEAD_COLUMNS, ...VALUE_COLUMNS] : HEAD_COLUMNS).join(', ');
    // Limits change without a new state of the plan when the definition of an attribute goes.
    const isCommon = statistics === 'none' && values?.characteristicUuids === undefined;
    if (needsValues) this.sets = isCommon ? sets : new CharacteristicSetReader(values?.characteristicUuids);
    if (values) {
      this.valuesWriter = new ValuesWriter({
        isShown: shownKeys('value', values.attributes, configuration),
        showsMeasuredValue: values.attributes === 'all' || values.attributes.includes(MEASURED_VALUE_KEY),
      });
    }
  }

  async render(session: Session, rows: readonly TextRow[]): Promise<string[]> {
    if (!this.sets) return rows.map((row) => `${this.head(row)}}`);
    const ids = rows.flatMap((row) => (row[SET_COLUMN] == null ? [] : [Number(row[SET_COLUMN])]));
    const sets = await this.sets.read(session, new Set(ids));
    return rows.map((row) => `${this.head(row)}${this.measured(sets, row)}}`);
  }

  private head(row: TextRow): string {
    const [uuid, partUuid, attributes, lastModified, created, comment] = row;
    if (uuid == null || partUuid == null || attributes == null || lastModified == null || created == null) {
      throw new Error('a column of a measurement is missing');
    }
    const shown = attributesText(this.isShown, attributes);
    const head = `{"uuid":"${uuid}","partUuid":"${partUuid}","attributes":${shown},"lastModified":"${isoTime(lastModified)}","created":"${isoTime(created)}"`;
    const remark = this.versioning && comment != null ? `,"comment":${JSON.stringify(comment)}` : '';
    return head + remark;
  }

  private measured(sets: ReadonlyMap<number, ReadSet>, row: TextRow): string {
    const [setId, values, digits, extras] = row.slice(SET_COLUMN);
    const set: ReadSet = (setId == null ? undefined : sets.get(Number(setId))) ?? { positions: [] };
    const elements = values == null || values.length <= 2 ? [] : values.slice(1, -1).split(',');
    const status = this.statistics === 'none' ? '' : `,"status":${statusText(set, elements, this.statistics)}`;
    const characteristics = this.valuesWriter
      ? `,"characteristics":${this.valuesWriter.text(set, elements, digits ?? null, extras ?? null)}`
      : '';
    return status + characteristics;
  }
}
