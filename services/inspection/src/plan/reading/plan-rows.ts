import { isoTime } from '../../shared/iso-time.ts';
import type { TextRow } from '@sinebar/database';
import type { AttributeSelection, PlanItemKind } from '@sinebar/query-language';
import type { AttributeEntity, Configuration } from '../../configuration/configuration.ts';

/** Select list on a row named `item` that {@link PlanItemRenderer} expects. Only parts have the second time. */
export const ITEM_COLUMNS = [
  'item.uuid',
  'item.marked_path',
  'item.attributes',
  'item.version',
  'item.modified_at',
  `CASE item.kind WHEN 'part' THEN item.characteristics_modified_at END`,
  'item.comment',
].join(', ');

/** Column after {@link ITEM_COLUMNS} with the earlier states, newest first, as a JSON array. */
export const HISTORY_COLUMN = `(
  SELECT json_agg(json_build_array(h.marked_path, h.attributes, h.version, h.modified_at, h.characteristics_modified_at, h.comment)
    ORDER BY h.sequence DESC)
  FROM plan_item_history h WHERE h.item_id = item.id)`;

export interface RenderOptions {
  configuration: Configuration;
  attributes: Readonly<Record<PlanItemKind, AttributeSelection>>;
  /** @returns the comment as the reader sees it; `undefined` for one that is not shown */
  showComment: (comment: string) => string | undefined;
  withHistory: boolean;
  /** Whether an earlier state at this marked path is shown; `undefined` shows all. */
  isPathShown?: ((markedPath: string) => boolean) | undefined;
}

interface State {
  markedPath: string;
  /** JSON text of an object. */
  attributes: string;
  version: string;
  modifiedAt: string;
  characteristicsModifiedAt: string;
  comment: string | null;
}

type HistoryRow = [string, Record<string, string>, number, string, string, string | null];

/** Renders rows of the plan, given as column texts, as JSON objects. */
export class PlanItemRenderer {
  private readonly options: RenderOptions;
  private readonly shown: Readonly<Record<PlanItemKind, (attributes: string) => string>>;

  constructor(options: RenderOptions) {
    this.options = options;
    this.shown = { part: shownAttributes('part', options), characteristic: shownAttributes('characteristic', options) };
  }

  render(row: TextRow): string {
    const [uuid, markedPath, attributes, version, modifiedAt, characteristicsModifiedAt, comment, history] = row;
    if (uuid == null || markedPath == null || attributes == null || version == null || modifiedAt == null) {
      throw new Error('a column of a plan item is missing');
    }
    const itemKind: PlanItemKind = characteristicsModifiedAt == null ? 'characteristic' : 'part';
    const state = {
      markedPath,
      attributes,
      version,
      modifiedAt,
      characteristicsModifiedAt: characteristicsModifiedAt ?? '',
      comment: comment ?? null,
    };
    const earlier = this.options.withHistory ? `,"history":[${this.earlierStates(itemKind, uuid, history ?? null)}]` : '';
    return `${this.open(itemKind, uuid, state)}${earlier}}`;
  }

  private open(kind: PlanItemKind, uuid: string, state: State): string {
    const shown = state.comment === null ? undefined : this.options.showComment(state.comment);
    const comment = shown === undefined ? '' : `,"comment":${JSON.stringify(shown)}`;
    const characteristics = kind === 'part' ? `,"charChangeDate":"${isoTime(state.characteristicsModifiedAt)}"` : '';
    const head = `{"uuid":"${uuid}","path":${JSON.stringify(state.markedPath)},"attributes":${this.shown[kind](state.attributes)}`;
    return `${head}${comment},"version":${state.version},"timestamp":"${isoTime(state.modifiedAt)}"${characteristics}`;
  }

  private earlierStates(kind: PlanItemKind, uuid: string, history: string | null): string {
    if (history === null) return '';
    const { isPathShown = () => true } = this.options;
    return (JSON.parse(history) as HistoryRow[])
      .filter(([markedPath]) => isPathShown(markedPath))
      .map(([markedPath, attributes, version, modifiedAt, characteristicsModifiedAt, comment]) => {
        const state = {
          markedPath,
          attributes: JSON.stringify(attributes),
          version: String(version),
          modifiedAt,
          characteristicsModifiedAt,
          comment,
        };
        return `${this.open(kind, uuid, state)}}`;
      })
      .join(',');
  }
}

/** Builds the function that selects the shown attributes; it returns the stored text unchanged when all are shown. */
function shownAttributes(entity: AttributeEntity & PlanItemKind, { configuration, attributes }: RenderOptions): (stored: string) => string {
  const selection = attributes[entity];
  if (selection !== 'all' && selection.length === 0) return () => '{}';
  const purging = configuration.purging.has(entity);
  if (selection === 'all' && !purging) return (stored) => stored;
  const wanted = selection === 'all' ? undefined : new Set(selection);
  const isShown = (key: string) =>
    (wanted?.has(Number(key)) ?? true) && (!purging || configuration.definitions.get(Number(key))?.entity === entity);
  return (stored) =>
    JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(stored) as Record<string, string>).filter(([key]) => isShown(key))));
}
