import { Link } from '@tanstack/react-router';
import { useMemo, useRef, useState, useSyncExternalStore, type SubmitEvent } from 'react';
import { FilterField } from '../../design/controls/field';
import { useFormats, useTexts } from '../../design/language/language';
import { OptionsLine } from '../../design/layout/lines';
import { PaneHead } from '../../design/page/pane-head';
import { Empty, Failed } from '../../design/states/pane-state';
import { useTextProblem } from '../../quality/attributes/attribute-field';
import type { Configuration } from '../../quality/attributes/configuration';
import { KeptDraft } from '../../quality/editing/kept-draft';
import { useView } from '../../server/use-view';
import { summarize } from './entered-summary';
import { EnteredTexts, isSizeField } from './entered-texts';
import { EntryBar } from './entry-bar';
import styles from './entry.module.css';
import { SIZE_KEY, type MeasuredCharacteristic } from './measured-characteristic';
import { enteredDefinitions, MeasurementFields, SERIAL_KEY, TIME_KEY, type MeasurementTexts } from './measurement-fields';
import type { EntryAddress } from './search';
import { texts } from './texts';
import { useFieldKeys } from './use-field-keys';
import { useSaveMeasurement } from './use-save-measurement';
import { ValueRow } from './value-row';

/** Fewer characteristics need no filter. */
const MIN_FILTERED = 12;

export interface EntryFormProps {
  partUuid: string;
  characteristics: readonly MeasuredCharacteristic[];
  configuration: Configuration;
  /** Says which right is missing; what is typed stays. */
  missingRight: string | undefined;
}

interface Saved {
  uuid: string;
  at: Date;
  values: number;
  outOfTolerance: number;
}

/** One measurement as a form; saving it leaves the form ready for the next one. */
export function EntryForm({ partUuid, characteristics, configuration, missingRight }: EntryFormProps) {
  const t = useTexts(texts);
  const formats = useFormats();
  const problemOf = useTextProblem();
  const { view, change } = useView<EntryAddress>();
  const [entered] = useState(() => new EnteredTexts());
  const [fields, setFields] = useState<MeasurementTexts>({});
  const [kept, setKept] = useState<MeasurementTexts>({});
  const [saved, setSaved] = useState<Saved>();
  const form = useRef<HTMLFormElement>(null);
  const isSending = useRef(false);
  const keys = useFieldKeys(form);
  const saving = useSaveMeasurement(partUuid);
  const isEntered = useSyncExternalStore(entered.subscribe, entered.hasValue);
  const isChanged =
    isEntered || Object.keys({ ...fields, ...kept }).some((key) => (fields[Number(key)] ?? '') !== (kept[Number(key)] ?? ''));
  const definitions = enteredDefinitions(configuration);
  const hasSerial = definitions.some(({ key }) => key === SERIAL_KEY);
  const problem = definitions
    .map((definition) => ({ definition, why: problemOf(definition, fields[definition.key] ?? '') }))
    .filter(({ why }) => why !== undefined)
    .map(({ definition, why }) => `${definition.description}: ${why}`)[0];
  const find = view.find ?? '';
  const shown = useMemo(
    () => characteristics.filter(({ name, group }) => `${group} ${name}`.toLowerCase().includes(find.trim().toLowerCase())),
    [characteristics, find],
  );
  const hasSizes = configuration.of('value').some(({ key }) => key === SIZE_KEY);

  const focusFirst = () => form.current?.querySelector<HTMLInputElement>('input:not([type="search"])')?.focus();
  const save = async (event: SubmitEvent) => {
    event.preventDefault();
    // A second press comes before the button is drawn as disabled.
    const summary = summarize(characteristics, entered.all());
    if (isSending.current || summary.filled === 0 || summary.wrong.length > 0 || problem !== undefined || missingRight !== undefined)
      return;
    isSending.current = true;
    try {
      const at = new Date();
      const written = Object.fromEntries(Object.entries(fields).filter(([, text]) => text !== ''));
      const attributes = { [TIME_KEY]: at.toISOString(), ...written };
      const uuid = await saving.mutateAsync({ attributes, characteristics: summary.written }).catch(() => undefined);
      if (uuid === undefined) return;
      const { [SERIAL_KEY]: _serial, [TIME_KEY]: _time, ...next } = fields;
      setSaved({ uuid, at, values: summary.filled, outOfTolerance: summary.outOfTolerance });
      setFields(next);
      setKept(next);
      entered.clear(isSizeField);
      focusFirst();
    } finally {
      isSending.current = false;
    }
  };
  const setField = (key: number, text: string) => setFields((known) => ({ ...known, [key]: text }));
  const fieldOf = (uuid: string) =>
    form.current?.querySelectorAll<HTMLInputElement>('[data-value]')[shown.findIndex((each) => each.uuid === uuid)];

  return (
    <form ref={form} onSubmit={(event) => void save(event)} {...keys} className={styles.form} noValidate autoComplete="off">
      <KeptDraft
        form={`entry of ${partUuid}`}
        isChanged={isChanged}
        read={() => ({ fields, kept, values: [...entered.all()] })}
        onRestore={(draft) => {
          setFields(draft.fields);
          setKept(draft.kept);
          entered.setAll(draft.values);
        }}
      />
      {saved !== undefined && (
        <p role="status" className={styles.saved}>
          {t.saved(formats.time(saved.at), formats.count(saved.values))}{' '}
          {saved.outOfTolerance > 0 && t.savedOut(formats.count(saved.outOfTolerance))}{' '}
          <Link to="/measurements/$measurementUuid" params={{ measurementUuid: saved.uuid }}>
            {t.openSaved}
          </Link>
        </p>
      )}
      <MeasurementFields configuration={configuration} fields={fields} onChange={setField} />
      <PaneHead name={t.values} />
      <p className={styles.hint}>{t.keys}</p>
      {characteristics.length >= MIN_FILTERED && (
        <OptionsLine>
          <FilterField
            label={t.filter}
            value={find}
            onChange={(text) => change({ find: text === '' ? undefined : text }, { isStep: false })}
          />
        </OptionsLine>
      )}
      {shown.length === 0 && <Empty>{t.nothingFound}</Empty>}
      <ol className={styles.rows} aria-label={t.values}>
        {shown.map((characteristic) => (
          <ValueRow key={characteristic.uuid} characteristic={characteristic} entered={entered} hasSizes={hasSizes} />
        ))}
      </ol>
      {saving.error !== null && <Failed error={saving.error} />}
      <EntryBar
        characteristics={characteristics}
        entered={entered}
        problem={missingRight ?? problem}
        isSaving={saving.isPending}
        canClear={isChanged}
        onClear={() => {
          entered.clear();
          setFields(kept);
          focusFirst();
        }}
        onGoTo={({ uuid }) => {
          if (fieldOf(uuid) === undefined) change({ find: undefined }, { isStep: false });
          setTimeout(() => fieldOf(uuid)?.focus());
        }}
        {...(hasSerial && {
          onUseAsSerial: ({ uuid, text }) => {
            setField(SERIAL_KEY, text);
            entered.set(uuid, '');
            fieldOf(uuid)?.focus();
          },
        })}
      />
    </form>
  );
}
