import type { Session, TextRow } from '@sinebar/database';
import type { AttributeSelection } from '@sinebar/query-language';
import type { JsonBuffer } from '@sinebar/http';
import { ruleOf } from '../../configuration/attribute-values.ts';
import type { AttributeEntity, Configuration } from '../../configuration/configuration.ts';
import { isoTime } from '../../shared/iso-time.ts';
import type { ReadSet } from '../codec/read-set.ts';
import { CharacteristicSetReader } from '../sets/characteristic-set-reader.ts';
import type { MeasurementStatistics } from '../selection/measurement-parameters.ts';
import { statusMembers } from './measurement-statistics.ts';
import { digitsExpression, StoredValues, valuesExpression } from '../codec/stored-values.ts';
import { ValuesWriter } from '../codec/values-text.ts';
import { WantedValues } from '../selection/wanted-values.ts';

/** The members of a measurement that an answer shows. */
export interface MeasurementView {
  measurementAttributes: AttributeSelection;
  statistics: MeasurementStatistics;
  /** `undefined` for answers without values. The measured value is shown regardless of `attributes`. */
  values?: { attributes: AttributeSelection; characteristicUuids?: readonly string[] | undefined };
}

const HEAD_COLUMNS = ['m.uuid', 'p.uuid', 'm.attributes', 'm.last_modified', 'm.created', 'm.comment'];
const ALL_VALUES = { values: 'm."values"', digits: 'm.digits' };
const SET_COLUMN = HEAD_COLUMNS.length;

/**
 * The columns of a view that needs no statement to find its characteristics.
 * @returns `undefined` columns for other views; `name` identifies the prepared statement
 */
export function allValueColumns(view: MeasurementView): { columns: string | undefined; name: string } {
  if (!needsValues(view)) return { columns: HEAD_COLUMNS.join(', '), name: 'measurement' };
  const isWhole = view.statistics === 'none' && view.values?.characteristicUuids === undefined;
  return { columns: isWhole ? valueColumns(ALL_VALUES) : undefined, name: 'measurement-values' };
}

function needsValues({ values, statistics }: MeasurementView): boolean {
  return values !== undefined || statistics !== 'none';
}

function valueColumns({ values, digits }: typeof ALL_VALUES): string {
  return [...HEAD_COLUMNS, 'm.characteristic_set_id', valuesExpression(values), digitsExpression(digits), 'm.extras'].join(', ');
}

export interface RendererDependencies {
  configuration: Configuration;
  /** @returns the comment as the reader sees it; `undefined` for one that is not shown */
  showComment: (comment: string) => string | undefined;
  /** Shared sets of the same state of the plan, for answers that need no limits and all characteristics. */
  sets: CharacteristicSetReader;
}

/** Renders rows of measurements, given as column texts, as JSON objects. */
export class MeasurementRenderer {
  /** Select list on the measurement `m` and its part `p`. */
  readonly columns: string;
  private readonly statistics: MeasurementStatistics;
  private readonly isShown: ((key: string) => boolean) | undefined;
  private readonly sets: CharacteristicSetReader | undefined;
  private readonly valuesWriter: ValuesWriter | undefined;
  private readonly showComment: RendererDependencies['showComment'];
  private readonly wanted: WantedValues | undefined;
  private readonly stored = new StoredValues();

  /** @param wanted positions of the requested characteristics; with it only their values are read */
  private constructor(view: MeasurementView, { configuration, showComment, sets }: RendererDependencies, wanted: WantedValues | undefined) {
    const { measurementAttributes, statistics, values } = view;
    this.statistics = statistics;
    this.showComment = showComment;
    this.isShown = shownKeys('measurement', measurementAttributes, configuration);
    this.wanted = wanted;
    this.columns = needsValues(view) ? valueColumns(wanted?.columns ?? ALL_VALUES) : HEAD_COLUMNS.join(', ');
    // Deleting an attribute definition changes limits without a new state of the plan, so sets with limits are not shared.
    const isCommon = statistics === 'none' && values?.characteristicUuids === undefined;
    if (needsValues(view)) this.sets = isCommon ? sets : new CharacteristicSetReader(values?.characteristicUuids);
    if (values) {
      this.valuesWriter = new ValuesWriter({ isShown: shownKeys('value', values.attributes, configuration) });
    }
  }

  static async create(session: Session, view: MeasurementView, deps: RendererDependencies): Promise<MeasurementRenderer> {
    const uuids = view.statistics === 'none' ? view.values?.characteristicUuids : undefined;
    return new MeasurementRenderer(view, deps, uuids && (await WantedValues.find(session, uuids)));
  }

  /** Whether a row contains all values of its measurement. */
  get isWide(): boolean {
    return this.sets !== undefined && this.wanted === undefined;
  }

  /** Whether {@link render} needs no further statement for the row. */
  isComplete(row: TextRow): boolean {
    const setId = row[SET_COLUMN];
    return !this.sets || setId == null || this.sets.knows(Number(setId));
  }

  async render(session: Session, rows: readonly TextRow[], out: JsonBuffer): Promise<void> {
    const sets = await this.readSets(session, rows);
    for (const row of rows) {
      out.separate();
      out.text(this.head(row));
      if (sets) this.measured(sets, row, out);
      out.text('}');
    }
  }

  private async readSets(session: Session, rows: readonly TextRow[]): Promise<ReadonlyMap<number, ReadSet> | undefined> {
    if (!this.sets) return undefined;
    const ids = new Set(rows.map((row) => row[SET_COLUMN]));
    return this.selectedPositions(await this.sets.read(session, new Set([...ids].flatMap((id) => (id == null ? [] : [Number(id)])))));
  }

  /** Reduces the sets to the positions that the rows contain. */
  private selectedPositions(sets: ReadonlyMap<number, ReadSet>): ReadonlyMap<number, ReadSet> {
    const { wanted } = this;
    if (!wanted) return sets;
    return new Map(
      [...sets].map(([id, { positions }]) => [
        id,
        { positions: (wanted.positionsBySet.get(id) ?? []).map((position) => positions[position - 1]) },
      ]),
    );
  }

  private head(row: TextRow): string {
    const [uuid, partUuid, attributes, lastModified, created, comment] = row;
    if (uuid == null || partUuid == null || attributes == null || lastModified == null || created == null) {
      throw new Error('a column of a measurement is missing');
    }
    const shown = attributesText(this.isShown, attributes);
    const modifiedAt = isoTime(lastModified);
    const createdAt = created === lastModified ? modifiedAt : isoTime(created);
    const head = `{"uuid":"${uuid}","partUuid":"${partUuid}","attributes":${shown},"lastModified":"${modifiedAt}","created":"${createdAt}"`;
    const shownComment = comment == null ? undefined : this.showComment(comment);
    const remark = shownComment === undefined ? '' : `,"comment":${JSON.stringify(shownComment)}`;
    return head + remark;
  }

  private measured(sets: ReadonlyMap<number, ReadSet>, row: TextRow, out: JsonBuffer): void {
    const setId = row[SET_COLUMN];
    const [values, digits, extras] = row.slice(SET_COLUMN + 1);
    const set: ReadSet = (setId == null ? undefined : sets.get(Number(setId))) ?? { positions: [] };
    const { stored } = this;
    stored.read(values ?? null, digits ?? null);
    if (this.statistics !== 'none') out.text(`,${statusMembers(set, stored, this.statistics)}`);
    if (!this.valuesWriter) return;
    out.text(',"characteristics":');
    this.valuesWriter.write(set, stored, extras ?? null, out);
  }
}

/**
 * Builds a predicate for the keys of an entity type that an answer shows: requested ones, and while values of deleted definitions are still
 * stored, defined ones. `undefined` when every stored key is shown.
 * spec: decisions.md 3.2
 */
function shownKeys(
  entity: AttributeEntity,
  selection: AttributeSelection,
  configuration: Configuration,
): ((key: string) => boolean) | undefined {
  const purging = configuration.purging.has(entity);
  if (selection === 'all' && !purging) return undefined;
  const wanted = selection === 'all' ? undefined : new Set(selection);
  return (key) => (wanted?.has(Number(key)) ?? true) && (!purging || ruleOf(configuration, entity, Number(key)) !== undefined);
}

/** Filters stored attributes, given and returned as JSON text. */
function attributesText(isShown: ((key: string) => boolean) | undefined, stored: string): string {
  if (isShown === undefined) return stored;
  return JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(stored) as Record<string, string>).filter(([key]) => isShown(key))));
}
