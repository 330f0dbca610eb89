import { ROOT_PART_UUID, SinebarError } from '@sinebar/client';
import { useMemo, useState } from 'react';
import { TextField } from '../../design/controls/text-field';
import { useTexts } from '../../design/language/language';
import { Failed } from '../../design/states/pane-state';
import { useTextProblem } from '../../quality/attributes/attribute-field';
import { useAttributeText, type Configuration } from '../../quality/attributes/configuration';
import { AttributesForm } from '../../quality/editing/attributes-form';
import { ConflictTable } from '../../quality/editing/conflict-table';
import { EditBar, SavedBar } from '../../quality/editing/edit-bar';
import { KeptDraft } from '../../quality/editing/kept-draft';
import { reverseDraft } from '../../quality/editing/draft';
import { useDraft } from '../../quality/editing/use-draft';
import { CharacteristicPage } from '../../quality/plan/characteristic-page';
import { PartPage } from '../../quality/plan/part-page';
import { CHARACTERISTIC_KEYS } from '@sinebar/client';
import { nameOf, ownerPathOf, plainPathOf } from '../../server/queries/plan-path';
import { useMay, useUserName } from '../../server/session/use-session';
import { crossedLimits, HAS_UNIT, IMPORTANT } from './characteristic-limits';
import { ItemActions } from './actions/item-actions';
import { Children } from './children';
import { HistoryPane } from './history/history-pane';
import { texts as historyTexts } from './history/texts';
import { commentFrom } from '../../quality/editing/version-comment';
import { fieldsOf, NAME, type PlanItem } from './plan-item';
import styles from './plan.module.css';
import type { PlanKind } from './search';
import { texts } from './texts';
import { CharacteristicTable } from './table/characteristic-table';
import { rowAndField } from '../../quality/editing/cells';
import { usePlanTable } from './table/use-plan-table';
import { useSaving } from './use-saving';

export interface PlanEditorProps {
  kind: PlanKind;
  item: PlanItem;
  /** The part itself, or the part of the characteristic. */
  partUuid: string;
  configuration: Configuration;
}

/** Name and attributes of an item as fields, saved together; below them what stands directly below the item. */
export function PlanEditor({ kind, item, partUuid, configuration }: PlanEditorProps) {
  const t = useTexts(texts);
  const history = useTexts(historyTexts);
  const problemOf = useTextProblem();
  const attributeText = useAttributeText(configuration);
  const stored = useMemo(() => fieldsOf(item), [item]);
  const state = useDraft(stored);
  const user = useUserName();
  const [reason, setReason] = useState('');
  const comment = configuration.hasVersions ? commentFrom({ user, reason }) : undefined;
  const saving = useSaving(kind, item.uuid, comment);
  const table = usePlanTable(kind, item, configuration, comment);
  const [isLeaving, setLeaving] = useState(false);
  const partPath = plainPathOf(ownerPathOf(item.path));
  const mayWrite = useMay('plan:write', partPath);
  const isRoot = item.uuid === ROOT_PART_UUID;
  const name = isRoot ? t.allParts : nameOf(item.path);
  const { draft, fields, conflicts } = state;
  const definitions = configuration.of(kind);
  const ownCount = Object.keys(draft).length;
  const count = ownCount + table.count;
  const nameOfField = (field: string) => (field === NAME ? t.name : (configuration.byKey.get(Number(field))?.description ?? field));
  const textOfField = (field: string, text: string) => (field === NAME ? text : attributeText(Number(field), text).text);

  const problem = (() => {
    if (conflicts.length + table.state.conflicts.length > 0) return t.conflicts;
    if (!isRoot && (fields[NAME] ?? '').trim() === '') return t.noName;
    for (const definition of definitions) {
      const why = problemOf(definition, fields[definition.key] ?? '');
      if (why !== undefined) return `${definition.description}: ${why}`;
    }
    if (kind === 'characteristic' && crossedLimits(fields)) return t.crossed;
    const [wrong] = table.problems;
    if (wrong === undefined) return undefined;
    const row = table.fieldsOfRow.get(rowAndField(wrong[0])[0])?.[NAME] ?? '';
    return row === '' ? wrong[1] : `${row}: ${wrong[1]}`;
  })();

  const save = (changes: typeof draft) =>
    saving.mutate(changes, {
      onSuccess: ({ kind: outcome }) => {
        state.replace(outcome === 'saved' ? {} : changes);
        if (outcome === 'saved') setReason('');
      },
    });
  // The table comes first: its characteristics are found by the path that a new name of the item would change.
  const saveAll = async () => {
    if (ownCount === 0) saving.reset();
    if (table.count === 0) table.reset();
    else if (!(await table.save())) return;
    if (ownCount > 0) save(draft);
    else setReason('');
  };
  const undo = saving.data?.kind === 'saved' && ownCount === 0 ? saving.data.undo : undefined;
  const hasUndo = [undo, table.undo].some((each) => each !== undefined && Object.keys(each).length > 0);
  const isTaken = saving.error instanceof SinebarError && saving.error.status === 409;

  const nameField = isRoot ? undefined : (
    <div className={styles.nameField}>
      <TextField
        label={kind === 'part' ? t.nameOfPart : t.nameOfCharacteristic}
        isLabelHidden
        value={fields[NAME] ?? ''}
        onChange={(text) => state.change(NAME, text)}
        isReadOnly={!mayWrite}
        error={isTaken && draft[NAME] !== undefined ? t.taken : undefined}
        validationBehavior="aria"
      />
      {draft[NAME] !== undefined && <span className={styles.was}>{t.was(draft[NAME].was)}</span>}
    </div>
  );

  const content = (
    <div className={styles.content}>
      <KeptDraft
        form={`plan of ${item.uuid}`}
        isChanged={count > 0 && !isLeaving}
        read={() => ({ draft, table: table.state.draft, created: table.created, reason })}
        onRestore={(kept) => {
          state.replace(kept.draft);
          table.restore(kept.table, kept.created);
          setReason(kept.reason);
        }}
      />
      {!mayWrite && <p className={styles.reason}>{t.readOnly(partPath)}</p>}
      <ConflictTable conflicts={conflicts} nameOf={nameOfField} textOf={textOfField} onKeep={state.keep} onTake={state.take} />
      {saving.error !== null && <Failed error={saving.error} />}
      {mayWrite && !isRoot && (
        <ItemActions kind={kind} item={item} partUuid={partUuid} isChanged={count > 0} onDeleted={() => setLeaving(true)} />
      )}
      <AttributesForm
        definitions={definitions}
        configuration={configuration}
        state={state}
        isReadOnly={!mayWrite}
        important={kind === 'characteristic' ? IMPORTANT : []}
        unitOf={(key) => (kind === 'characteristic' && HAS_UNIT.has(key) ? fields[CHARACTERISTIC_KEYS.unit] : undefined)}
        textOf={(key, text) => attributeText(key, text).text}
      />
      {kind === 'part' && <Children parent={item} mayWrite={mayWrite} configuration={configuration} />}
      <CharacteristicTable table={table} parent={item} partUuid={partUuid} mayWrite={mayWrite} configuration={configuration} />
      {configuration.hasVersions && (
        <HistoryPane
          kind={kind}
          uuid={item.uuid}
          nameOf={nameOfField}
          textOf={textOfField}
          onRestore={mayWrite ? (earlier) => state.replace(reverseDraft(isRoot ? { ...earlier, [NAME]: '' } : earlier, stored)) : undefined}
        />
      )}
    </div>
  );

  const bar =
    count > 0 ? (
      <EditBar
        name={name}
        count={count}
        problem={problem}
        isSaving={saving.isPending || table.isSaving}
        onDiscard={() => {
          state.replace({});
          saving.reset();
          table.discard();
        }}
        onSave={() => void saveAll()}
      >
        {configuration.hasVersions && (
          <TextField label={history.reason} isLabelHidden placeholder={history.reason} value={reason} onChange={setReason} />
        )}
      </EditBar>
    ) : (
      hasUndo && (
        <SavedBar
          onUndo={() => {
            if (undo !== undefined) save(undo);
            if (table.undo !== undefined) void table.save(table.undo);
          }}
        />
      )
    );

  if (kind === 'part') {
    return (
      <>
        {bar}
        <PartPage partUuid={item.uuid} view="plan" {...(nameField !== undefined && { nameField })}>
          {content}
        </PartPage>
      </>
    );
  }
  return (
    <>
      {bar}
      <CharacteristicPage partUuid={partUuid} characteristicUuid={item.uuid} path={item.path} nameField={nameField}>
        {content}
      </CharacteristicPage>
    </>
  );
}
