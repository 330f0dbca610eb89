import type { AnyAttributeDefinition, Characteristic } from '@sinebar/client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useTexts } from '../../../design/language/language';
import { useTextProblem } from '../../../quality/attributes/attribute-field';
import type { Configuration } from '../../../quality/attributes/configuration';
import { conflictsOf, draftedFields, reverseDraft, type Draft, type Fields } from '../../../quality/editing/draft';
import { useDraft, type DraftState } from '../../../quality/editing/use-draft';
import { newUuid } from '../../../server/new-uuid';
import { queryKeys } from '../../../server/queries/keys';
import { childPathOf, ownerPathOf, parentPathOf, plainPathOf } from '../../../server/queries/plan-path';
import { useServer } from '../../../server/server';
import { changeOf, NAME, type PlanItem } from '../plan-item';
import type { PlanKind } from '../search';
import { KEPT, renewPlan } from '../../../quality/editing/renew-plan';
import { cellField, changedRows, fieldsByRow, rowAndField } from '../../../quality/editing/cells';
import { rowProblems, tableColumns, tableFields } from './table-fields';
import { texts } from './texts';

/** The characteristics directly below an item as a table, with what is changed and not saved. */
export interface PlanTable {
  items: readonly Characteristic[] | undefined;
  error: Error | null;
  reload: () => void;
  /** Uuids of rows in the order of the table: stored ones, then new ones. */
  rows: readonly string[];
  /** Texts by row, with the changes. */
  fieldsOfRow: ReadonlyMap<string, Fields>;
  columns: readonly AnyAttributeDefinition[];
  state: DraftState;
  /** Rows that are new. */
  created: readonly string[];
  /** Changed cells, and rows that are new. */
  count: number;
  /** What is wrong, by cell. */
  problems: ReadonlyMap<string, string>;
  /** Writes texts into cells; a row that is not known is a new one. */
  write: (texts: readonly (readonly [uuid: string, field: string, text: string])[]) => void;
  discard: () => void;
  /** Continues with changes that were kept, and their new rows. */
  restore: (draft: Draft, created: readonly string[]) => void;
  /** @returns whether all is saved */
  save: (draft?: Draft) => Promise<boolean>;
  /** Forgets what was saved before, so that it is not taken back. */
  reset: () => void;
  isSaving: boolean;
  failure: Error | null;
  /** The draft that leads back behind what was saved, where that is possible. */
  undo: Draft | undefined;
}

type Saved = { kind: 'conflict' } | { kind: 'saved'; undo: Draft | undefined };

/** Reads the characteristics directly below an item, and holds what the reader changes in them. */
export function usePlanTable(kind: PlanKind, parent: PlanItem, configuration: Configuration, comment: string | undefined): PlanTable {
  const t = useTexts(texts);
  const server = useServer();
  const queries = useQueryClient();
  const problemOf = useTextProblem();
  const [created, setCreated] = useState<readonly string[]>([]);
  const partPath = plainPathOf(ownerPathOf(parent.path));
  const queryKey = queryKeys.plan('characteristics below', parent.uuid);
  const read = (signal?: AbortSignal) =>
    server.characteristics.list({ partPath, ...(kind === 'part' && { depth: 1 }), ...(signal && { signal }) });
  const below = (items: readonly Characteristic[]) => items.filter(({ path }) => parentPathOf(path) === parent.path);
  const query = useQuery({ queryKey, queryFn: ({ signal }) => read(signal), select: below });
  const items = query.data;
  const stored = useMemo(() => tableFields(items ?? []), [items]);
  const state = useDraft(stored);
  const { draft, fields } = state;
  const fieldsOfRow = useMemo(() => fieldsByRow(fields), [fields]);
  const definitions = configuration.of('characteristic');
  const columns = useMemo(() => tableColumns(definitions, items ?? []), [definitions, items]);

  const problems = useMemo(() => {
    const changed = changedRows(draft);
    const known = new Map(definitions.map((definition) => [String(definition.key), definition]));
    const found = new Map<string, string>();
    for (const cell of Object.keys(draft)) {
      const definition = known.get(rowAndField(cell)[1]);
      const why = definition && problemOf(definition, fields[cell] ?? '');
      if (why !== undefined) found.set(cell, why);
    }
    for (const [cell, problem] of rowProblems(fieldsOfRow, changed)) found.set(cell, t[problem]);
    return found;
  }, [draft, definitions, fields, fieldsOfRow, problemOf, t]);

  const saving = useMutation({
    mutationFn: async (changes: Draft): Promise<Saved> => {
      const withComment = comment === undefined ? {} : { comment };
      const all = await read();
      queries.setQueryData(queryKey, all);
      const present = below(all);
      const known = tableFields(present);
      const isThere = new Set(present.map(({ uuid }) => uuid));
      const ofStored = Object.fromEntries(Object.entries(changes).filter(([cell]) => isThere.has(rowAndField(cell)[0])));
      if (conflictsOf(ofStored, known).length > 0) return { kind: 'conflict' };
      const after = draftedFields(changes, known);
      const rows = fieldsByRow(after);
      const changed = present.filter(({ uuid }) => changedRows(ofStored).has(uuid));
      if (changed.length > 0) {
        await server.characteristics.update(
          changed.map((item) => ({ ...changeOf(item, rows.get(item.uuid) ?? {}), ...withComment })),
          KEPT,
        );
      }
      const added = created.filter((uuid) => !isThere.has(uuid) && rows.has(uuid));
      if (added.length > 0) {
        await server.characteristics.create(
          added.map((uuid) => {
            const { [NAME]: name = '', ...attributes } = rows.get(uuid) ?? {};
            const path = childPathOf(parent.path, 'characteristic', name.trim());
            return {
              uuid,
              path,
              ...withComment,
              attributes: Object.fromEntries(Object.entries(attributes).filter(([, text]) => text !== '')),
            };
          }),
        );
      }
      await renewPlan(queries);
      const restored = draftedFields(ofStored, known);
      return { kind: 'saved', undo: added.length > 0 ? undefined : reverseDraft(known, restored) };
    },
    onSuccess: (result) => {
      if (result.kind !== 'saved') return;
      state.replace({});
      setCreated([]);
    },
  });

  const uuids = useMemo(() => (items ?? []).map(({ uuid }) => uuid), [items]);
  const isChanged = Object.keys(draft).length > 0;
  return {
    items,
    error: query.error,
    reload: () => void query.refetch(),
    rows: useMemo(() => [...uuids, ...created.filter((uuid) => !uuids.includes(uuid))], [uuids, created]),
    fieldsOfRow,
    columns,
    state,
    created,
    count: Object.keys(draft).length,
    problems,
    write: (cells) => {
      const unknown = [...new Set(cells.map(([uuid]) => uuid))].filter((uuid) => !uuids.includes(uuid) && !created.includes(uuid));
      if (unknown.length > 0) setCreated([...created, ...unknown]);
      state.changeAll(cells.map(([uuid, field, text]) => [cellField(uuid, field), text]));
    },
    discard: () => {
      state.replace({});
      setCreated([]);
      saving.reset();
    },
    restore: (kept, rows) => {
      state.replace(kept);
      setCreated(rows);
    },
    save: (changes = draft) =>
      saving.mutateAsync(changes).then(
        ({ kind: outcome }) => outcome === 'saved',
        // `failure` shows it.
        () => false,
      ),
    reset: saving.reset,
    isSaving: saving.isPending,
    failure: saving.error,
    undo: !isChanged && saving.data?.kind === 'saved' ? saving.data.undo : undefined,
  };
}

/** Makes the uuid of a new row. */
export const newRow = newUuid;
