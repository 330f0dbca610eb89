import type { Evaluation } from '@sinebar/client';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { Button } from '../../../design/controls/button';
import { DialogButtons } from '../../../design/controls/dialog';
import { useFormats, useTexts } from '../../../design/language/language';
import { Failed } from '../../../design/states/pane-state';
import { ConflictTable } from '../../../quality/editing/conflict-table';
import { reverseDraft } from '../../../quality/editing/draft';
import { GuardedDialog } from '../../../quality/editing/guarded-dialog';
import { KeptDraft } from '../../../quality/editing/kept-draft';
import { useDraft } from '../../../quality/editing/use-draft';
import { statusOf } from '../../../server/error-status';
import { useMay } from '../../../server/session/use-session';
import type { CharacteristicSearch } from '../search';
import type { CharacteristicData } from '../use-characteristic';
import {
  evaluationForm,
  excludedMeasurement,
  fieldsOf,
  fieldsOfView,
  problemOf,
  stateOf,
  withoutKept,
  type EvaluatedKind,
} from './evaluation-fields';
import { ExclusionRows } from './exclusion-rows';
import { History } from './history';
import { MemberRows } from './member-rows';
import { texts } from './texts';
import { useChangeEvaluation } from './use-change-evaluation';
import { useFieldText } from './use-field-text';
import styles from './evaluation.module.css';
import pageStyles from '../characteristic.module.css';

/** What the panel is about, and the view that it was opened from. */
export interface EvaluatedNames {
  characteristic: { uuid: string; name: string };
  /** `path` as rights take it. */
  part: { uuid: string; name: string; path: string };
  search: CharacteristicSearch;
  data: CharacteristicData;
  isOfCounts: boolean;
  /** Beginning of a new stage: that of the view, else of the newest value. */
  stageFrom: string;
}

export type ReadEvaluation = Evaluation & { etag: string };

interface ItemEvaluationProps extends EvaluatedNames {
  kind: EvaluatedKind;
  evaluation: ReadEvaluation;
  /** Evaluation of the part, for a characteristic. */
  above: Evaluation | undefined;
  onKind: (kind: EvaluatedKind) => void;
  onClose: () => void;
}

/** Everything that one item says about its evaluation, with its history; what others save meanwhile is taken in, or shown as a conflict. */
export function ItemEvaluation(props: ItemEvaluationProps) {
  const { characteristic, part, search, data, kind, evaluation, above, onKind, onClose } = props;
  const t = useTexts(texts);
  const formats = useFormats();
  const navigate = useNavigate();
  const item = kind === 'part' ? { partUuid: part.uuid } : { characteristicUuid: characteristic.uuid };
  const mayWrite = useMay('plan:write', part.path);
  const [mightWrite] = useState(mayWrite);
  const stored = useMemo(() => fieldsOf(evaluation.own), [evaluation.own]);
  const { draft, fields, conflicts, change, keep, take, replace } = useDraft(stored);
  const [reason, setReason] = useState('');
  const [isOfView, setOfView] = useState(false);
  const { put, renew } = useChangeEvaluation();
  const describeMeasurement = (measurementUuid: string) => {
    const found = data.leftOut.find((each) => each.measurementUuid === measurementUuid);
    if (!found) return t.excludedMeasurement(measurementUuid.slice(0, 8));
    return `${formats.number(found.value, data.decimals)} ${data.unit}, ${formats.dayTime(found.time)}`.replace(' ,', ',');
  };
  const { nameOf, textOf } = useFieldText(describeMeasurement);
  const viewFields = fieldsOfView(search, evaluation, t.noReason);
  const isChanged = Object.keys(draft).length > 0;
  const problem =
    conflicts.length > 0 ? 'conflicts' : (problemOf(fields) ?? (isChanged && reason.trim() === '' ? 'needsChangeReason' : undefined));
  const saving = useMutation({
    mutationFn: () => put(item, stateOf(fields, evaluation.own), { reason: reason.trim(), etag: evaluation.etag }),
    onSuccess: () => {
      onClose();
      if (isOfView) void navigate({ to: '.', search: withoutKept(search), resetScroll: false });
    },
    onSettled: () => renew(),
  });
  const isOvertaken = statusOf(saving.error) === 412;
  const edit = (field: string, text: string) => {
    saving.reset();
    change(field, text);
  };
  const set = (next: Readonly<Record<string, string>>) => {
    for (const [field, text] of Object.entries(next)) edit(field, text);
  };
  return (
    <GuardedDialog title={t.panelTitle(kind === 'part' ? part.name : characteristic.name)} isChanged={isChanged} isWide onClose={onClose}>
      {(closeButton) => (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            if (isChanged && problem === undefined && mayWrite && !saving.isPending) saving.mutate();
          }}
        >
          <KeptDraft
            form={evaluationForm(kind, kind === 'part' ? part.uuid : characteristic.uuid)}
            isChanged={isChanged}
            read={() => ({ draft, reason, isOfView })}
            onRestore={(kept) => {
              replace(kept.draft);
              setReason(kept.reason);
              setOfView(kept.isOfView);
            }}
          />
          <p>{t.lead}</p>
          <div className={styles.choice}>
            <label className={pageStyles.formField}>
              {t.of}
              <select
                value={kind}
                disabled={isChanged}
                onChange={(event) => onKind(event.target.value === 'part' ? 'part' : 'characteristic')}
              >
                <option value="characteristic">{t.ofCharacteristic(characteristic.name)}</option>
                <option value="part">{t.ofPart(part.name)}</option>
              </select>
            </label>
            {mayWrite &&
              kind === 'characteristic' &&
              Object.keys(fields).some((field) => excludedMeasurement(field) === undefined && fields[field] !== '') && (
                <Button
                  onPress={() =>
                    set(
                      Object.fromEntries(
                        Object.keys(fields)
                          .filter((field) => excludedMeasurement(field) === undefined)
                          .map((field) => [field, '']),
                      ),
                    )
                  }
                >
                  {t.allAsPart}
                </Button>
              )}
            {mayWrite && kind === 'characteristic' && Object.keys(viewFields).length > 0 && !isOfView && (
              <Button
                onPress={() => {
                  set(viewFields);
                  setOfView(true);
                }}
              >
                {t.takeView}
              </Button>
            )}
          </div>
          {!mayWrite && <p role={mightWrite ? 'alert' : undefined}>{(mightWrite ? t.rightGone : t.missingWrite)(part.path)}</p>}
          <ConflictTable conflicts={conflicts} nameOf={nameOf} textOf={textOf} onKeep={keep} onTake={take} />
          <MemberRows
            evaluation={evaluation}
            above={above}
            stored={stored}
            fields={fields}
            isReadOnly={!mayWrite}
            partName={part.name}
            partUuid={part.uuid}
            isOfCounts={props.isOfCounts}
            stageFrom={props.stageFrom}
            textOf={textOf}
            onChange={edit}
          />
          <ExclusionRows
            exclusions={evaluation.exclusions}
            fields={fields}
            stored={stored}
            isReadOnly={!mayWrite}
            describeMeasurement={describeMeasurement}
            onChange={edit}
          />
          <History
            item={item}
            nameOf={nameOf}
            textOf={textOf}
            onRestore={
              mayWrite
                ? (state, revision) => {
                    replace(reverseDraft(fieldsOf(state ?? {}), stored));
                    setReason(t.restored(formats.count(revision)));
                  }
                : undefined
            }
          />
          {mayWrite && (
            <label className={styles.reason}>
              {t.changeReason}
              <input value={reason} maxLength={4000} onChange={(event) => setReason(event.target.value)} />
            </label>
          )}
          {isOvertaken && conflicts.length === 0 && <p role="alert">{t.changedMeanwhile}</p>}
          {saving.error && !isOvertaken && <Failed error={saving.error} />}
          {isChanged && problem !== undefined && (
            <p role="status" className={styles.hint}>
              {t.problem} {t[problem]}
            </p>
          )}
          <DialogButtons>
            {closeButton}
            <Button kind="primary" type="submit" isDisabled={!isChanged || problem !== undefined || !mayWrite || saving.isPending}>
              {t.save}
            </Button>
          </DialogButtons>
        </form>
      )}
    </GuardedDialog>
  );
}
