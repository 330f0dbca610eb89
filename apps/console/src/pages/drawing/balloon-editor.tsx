import type { Part, RawDataInformation } from '@sinebar/client';
import { useCallback, useMemo, useState } from 'react';
import { Button } from '../../design/controls/button';
import { QuietButton } from '../../design/controls/buttons';
import { useFormats, useTexts } from '../../design/language/language';
import { Fill } from '../../design/layout/fill';
import { Split } from '../../design/layout/split';
import { Failed, Skeleton } from '../../design/states/pane-state';
import textStyles from '../../design/styles/text.module.css';
import { useConfiguration } from '../../quality/attributes/configuration';
import { rowAndField } from '../../quality/editing/cells';
import { ConflictTable } from '../../quality/editing/conflict-table';
import { EditBar, SavedBar } from '../../quality/editing/edit-bar';
import { KeptDraft } from '../../quality/editing/kept-draft';
import { PartPage } from '../../quality/plan/part-page';
import { nameOf, plainPathOf } from '../../server/queries/plan-path';
import { useMay } from '../../server/session/use-session';
import { useView } from '../../server/use-view';
import { added, moved, numbered, removed, type CellTexts } from './balloon-changes';
import { BalloonList } from './balloon-list';
import { BalloonTable } from './balloon-table';
import { BalloonedDrawing } from './ballooned-drawing';
import { StampAttributes, useStampAttributes } from './stamp-attributes';
import { texts } from './texts';
import { useBalloons } from './use-balloons';
import { useSaveBalloons } from './use-save-balloons';

/** Point of a drawing that nobody has scrolled. */
const MIDDLE = { x: 0.5, y: 0.5 };

/** The drawing of a part with its balloons, and beside it their list or, while they are edited, all characteristics. */
export function BalloonEditor({ part, file }: { part: Part; file: RawDataInformation }) {
  const t = useTexts(texts);
  const formats = useFormats();
  const { view, change } = useView<{ edit: true }>();
  const { configuration } = useConfiguration();
  const balloons = useBalloons(part.uuid, part.path);
  const saving = useSaveBalloons(part.uuid, configuration.hasVersions);
  const attributes = useStampAttributes(configuration);
  const [selected, setSelected] = useState<string>();
  const [focused, setFocused] = useState<string>();
  const [middle, setMiddle] = useState(MIDDLE);
  const partPath = plainPathOf(part.path);
  const mayWrite = useMay('plan:write', partPath);
  const isEditing = view.edit === true && mayWrite && attributes.isUsable;
  const { state, rows } = balloons;
  const { draft, conflicts, changeAll } = state;
  const count = useMemo(() => new Set(Object.keys(draft).map((cell) => rowAndField(cell)[0])).size, [draft]);
  const undo = saving.data?.kind === 'saved' && count === 0 ? saving.data.undo : undefined;

  const save = (changes: typeof draft) =>
    saving.mutate(changes, { onSuccess: ({ kind }) => state.replace(kind === 'saved' ? {} : changes) });
  const write = useCallback((cells: CellTexts) => changeAll(cells), [changeAll]);
  const add = (uuid: string) => {
    write(added(uuid, middle, rows));
    setSelected(uuid);
    setFocused(uuid);
  };
  const nameOfCell = (cell: string) => {
    const [uuid, key] = rowAndField(cell);
    const name = rows.find((row) => row.uuid === uuid)?.name ?? uuid;
    return t.conflictField(name, configuration.byKey.get(Number(key))?.description ?? key);
  };

  return (
    <>
      {count > 0 ? (
        <EditBar
          name={nameOf(part.path)}
          count={count}
          problem={conflicts.length > 0 ? t.conflicts : undefined}
          isSaving={saving.isPending}
          onDiscard={() => {
            state.replace({});
            saving.reset();
          }}
          onSave={() => save(draft)}
        />
      ) : (
        undo !== undefined && Object.keys(undo).length > 0 && <SavedBar onUndo={() => save(undo)} />
      )}
      <PartPage partUuid={part.uuid} view="drawing" facts={[{ name: t.file, value: file.fileName }]}>
        <Fill>
          <KeptDraft
            form={`drawing of ${part.uuid}`}
            isChanged={count > 0}
            read={() => draft}
            onRestore={(kept) => {
              state.replace(kept);
              change({ edit: true }, { isStep: false });
            }}
          />
          {view.edit === true && !mayWrite && <p className={textStyles.note}>{t.readOnly(partPath)}</p>}
          {view.edit === true && mayWrite && <StampAttributes attributes={attributes} />}
          <ConflictTable conflicts={conflicts} nameOf={nameOfCell} textOf={(_, text) => text} onKeep={state.keep} onTake={state.take} />
          {saving.error !== null && <Failed error={saving.error} />}
          <Split
            isRuled
            detailLabel={t.side}
            detail={
              !balloons.isReady ? (
                balloons.error === null ? (
                  <Skeleton rows={6} />
                ) : (
                  <Failed error={balloons.error} onRetry={balloons.reload} />
                )
              ) : isEditing ? (
                <BalloonList
                  partUuid={part.uuid}
                  rows={rows}
                  selected={selected}
                  onSelect={(uuid) => {
                    setSelected(uuid);
                    setFocused(uuid);
                  }}
                  onAdd={add}
                  onWrite={write}
                />
              ) : (
                <BalloonTable partUuid={part.uuid} rows={rows} />
              )
            }
          >
            <BalloonedDrawing
              partUuid={part.uuid}
              file={file}
              rows={rows}
              isEditing={isEditing}
              selected={isEditing ? selected : undefined}
              focused={focused}
              onFocused={() => setFocused(undefined)}
              onSelect={setSelected}
              onMove={(uuid, handle, point) => write(moved(uuid, handle, point))}
              onRemove={(uuid) => write(removed(uuid))}
              onMiddle={setMiddle}
              actions={
                mayWrite && (
                  <>
                    {isEditing && (
                      <QuietButton isDisabled={!rows.some(({ stamp }) => stamp !== undefined)} onPress={() => write(numbered(rows))}>
                        {t.number}
                      </QuietButton>
                    )}
                    <Button isOn={view.edit === true} onPress={() => change({ edit: view.edit ? undefined : true }, { isStep: false })}>
                      {view.edit === true ? t.done : t.edit}
                    </Button>
                  </>
                )
              }
            />
            {isEditing && <p className={textStyles.explanation}>{t.hint}</p>}
            {!isEditing && balloons.isReady && rows.some(({ stamp }) => stamp === undefined) && (
              <p className={textStyles.note}>{t.without(formats.count(rows.filter(({ stamp }) => stamp === undefined).length))}</p>
            )}
          </Split>
        </Fill>
      </PartPage>
    </>
  );
}
