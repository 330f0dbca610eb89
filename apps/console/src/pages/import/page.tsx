import { ROOT_PART_UUID } from '@sinebar/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Fragment, useState } from 'react';
import { FileTrigger } from 'react-aria-components';
import { Button } from '../../design/controls/button';
import { Combo } from '../../design/controls/combo';
import { SelectField } from '../../design/controls/select-field';
import { TextField } from '../../design/controls/text-field';
import { useDrop } from '../../design/controls/use-drop';
import { useFormats, useTexts } from '../../design/language/language';
import { Page } from '../../design/page/page';
import { KeptDraft } from '../../quality/editing/kept-draft';
import { LostFiles } from '../../quality/files/lost-files';
import { queryKeys } from '../../server/queries/keys';
import { planIndexQuery } from '../../server/queries/plan-index';
import { plainPathOf } from '../../server/queries/plan-path';
import { useServer } from '../../server/server';
import { useRights } from '../../server/session/use-session';
import { useView } from '../../server/use-view';
import { FileProblems } from './file-problems';
import { FileRows, PlanNotes } from './file-rows';
import styles from './import.module.css';
import { IMPORT_FORMATS } from './data-files';
import { ColumnsEditor } from './columns/columns-editor';
import { MappingField, type ChosenMapping } from './mapping-field';
import type { ImportAddress } from './search';
import { texts } from './texts';
import { useImports, type MappingsByName } from './use-imports';
import checkStyles from '../../design/controls/check.module.css';

const ON_DIFFERENCE = ['keep', 'update', 'refuse'] as const;
type OnDifference = (typeof ON_DIFFERENCE)[number];
const DATE_ORDERS = ['dmy', 'mdy', 'ymd'] as const;
/** Encodings of the programs of measuring machines; `TextDecoder` knows them by these labels. */
const ENCODINGS = ['utf-8', 'windows-1252', 'windows-1250', 'windows-1251', 'gbk', 'big5', 'shift_jis', 'euc-kr', 'utf-16le'];

/** Name of what the reader says of columns, as a draft. */
const FORM = 'columns to import';

/** Most parts that the choice offers. */
const MAX_PARTS = 1000;

/** Rights that an import needs on its part. */
const RIGHTS = ['plan:write', 'measurement:write'] as const;

/** Endings that the dialog of the browser offers. */
const ACCEPTED = IMPORT_FORMATS.flatMap(({ endings, companion }) => [...endings, ...(companion ? [companion.ending] : [])]).map((ending) =>
  ending.slice(ending.lastIndexOf('.')),
);

/** Files of measuring machines: what is chosen is checked first, then stored. */
export function ImportPage() {
  const t = useTexts(texts);
  const formats = useFormats();
  const server = useServer();
  const may = useRights();
  const { view, change } = useView<ImportAddress>();
  const index = useQuery(planIndexQuery(server));
  const [zone, setZone] = useState(view.zone ?? new Intl.DateTimeFormat().resolvedOptions().timeZone);
  const [dateOrder, setDateOrder] = useState('');
  const [encoding, setEncoding] = useState('');
  const [skipBad, setSkipBad] = useState(false);
  const [ignoreUndefined, setIgnoreUndefined] = useState(false);
  const [onDifference, setOnDifference] = useState<OnDifference>('keep');
  const [mapping, setMapping] = useState<ChosenMapping>();
  const parts = (index.data?.items ?? []).filter(({ kind }) => kind === 'part').slice(0, MAX_PARTS);
  const part = view.part === undefined ? undefined : index.data?.items.find(({ uuid }) => uuid === view.part);
  const partPath = part === undefined ? '/' : plainPathOf(part.path);
  const isPartKnown = view.part === undefined || view.part === ROOT_PART_UUID || part !== undefined;
  const missing = RIGHTS.filter((right) => !may(right, partPath));
  const hasZone = isZone(zone);
  const order = DATE_ORDERS.find((known) => known === dateOrder);
  const imports = useImports(
    {
      ...(partPath !== '/' && { partPath }),
      zone,
      ...(order && { dateOrder: order }),
      ...(encoding !== '' && { encoding }),
      ...(skipBad && { skipBad }),
      ...(ignoreUndefined && { ignoreUndefined }),
      ...(onDifference !== 'keep' && { onDifference }),
    },
    mapping && ('kept' in mapping ? `@${mapping.kept}` : mapping.mapping),
    hasZone && isPartKnown && missing.length === 0,
  );
  const keptName = mapping && 'kept' in mapping ? mapping.kept : undefined;
  const kept = useQuery({
    queryKey: queryKeys.mappings('one', keptName),
    queryFn: ({ signal }) => server.exchange.mapping(keptName ?? '', { signal }),
    enabled: keptName !== undefined,
  });
  const choose = (chosen: ChosenMapping | undefined) => {
    setMapping(chosen);
    imports.unmapAll();
  };
  /** Mapping of all tables; nothing while a kept one is being read. */
  const common = keptName === undefined ? (mapping && 'mapping' in mapping ? mapping.mapping : {}) : kept.data;
  const drop = useDrop(missing.length === 0, imports.add);
  const open = imports.files.filter(({ state }) => state !== 'stored');
  const byName: MappingsByName = Object.fromEntries(open.flatMap(({ file, mapping: own }) => (own ? [[file.name, own] as const] : [])));
  const ready = imports.files.filter(({ state }) => state === 'ready').length;
  const isStored = imports.files.some(({ state }) => state === 'stored');
  return (
    <Page title={t.title}>
      <div className={styles.page} {...drop.handlers}>
        <KeptDraft
          form={FORM}
          isChanged={Object.keys(byName).length > 0}
          read={() => ({ mapping, byName, dateOrder, encoding, skipBad, ignoreUndefined, onDifference })}
          onRestore={(draft) => {
            setMapping(draft.mapping);
            imports.remember(draft.byName);
            setDateOrder(draft.dateOrder);
            setEncoding(draft.encoding);
            setSkipBad(draft.skipBad);
            setIgnoreUndefined(draft.ignoreUndefined);
            setOnDifference(draft.onDifference);
          }}
        />
        <LostFiles form="files to import" names={open.map(({ file }) => file.name)} />
        <div className={styles.options}>
          <div className={styles.part}>
            <Combo
              label={t.below}
              // The list of the field is made once: it is made anew when the parts are known.
              key={index.data === undefined ? 'unknown' : 'known'}
              options={[
                { id: ROOT_PART_UUID, name: t.allParts },
                ...parts.map(({ uuid, parentPath, name }) => ({ id: uuid, name: parentPath === '' ? name : `${parentPath} / ${name}` })),
              ]}
              chosen={part?.uuid ?? ROOT_PART_UUID}
              onChoose={(uuid) => change({ part: uuid === ROOT_PART_UUID ? undefined : uuid }, { isStep: false })}
            />
          </div>
          <TextField
            label={t.zone}
            value={zone}
            onChange={setZone}
            onBlur={() => hasZone && change({ zone }, { isStep: false })}
            error={hasZone ? undefined : t.badZone}
            validationBehavior="aria"
          />
          <SelectField
            label={t.dateOrder}
            value={dateOrder}
            onChoose={setDateOrder}
            options={[['', t.asFile], ...DATE_ORDERS.map((known) => [known, t[known]] as const)]}
          />
          <SelectField
            label={t.encoding}
            value={encoding}
            onChoose={setEncoding}
            options={[['', t.asFile], ...ENCODINGS.map((known) => [known, known] as const)]}
          />
          <MappingField chosen={mapping} onChoose={choose} />
          <label className={styles.check}>
            <input type="checkbox" className={checkStyles.check} checked={skipBad} onChange={(event) => setSkipBad(event.target.checked)} />
            {t.skipBad}
          </label>
          <label className={styles.check}>
            <input
              type="checkbox"
              className={checkStyles.check}
              checked={ignoreUndefined}
              onChange={(event) => setIgnoreUndefined(event.target.checked)}
            />
            {t.ignoreUndefined}
          </label>
          <SelectField
            label={t.onDifference}
            value={onDifference}
            onChoose={(value) => setOnDifference(ON_DIFFERENCE.find((known) => known === value) ?? 'keep')}
            options={ON_DIFFERENCE.map((known) => [known, t[known]])}
          />
        </div>
        {missing.length > 0 ? (
          <p className={styles.reason}>{t.noRight(missing.join(', '), partPath)}</p>
        ) : (
          <div className={drop.isOver ? `${styles.drop} ${styles.over}` : styles.drop}>
            <p>{drop.isOver ? t.dropNow : t.drop}</p>
            <FileTrigger allowsMultiple acceptedFileTypes={ACCEPTED} onSelect={(files) => imports.add([...(files ?? [])])}>
              <Button kind={imports.files.length === 0 ? 'primary' : 'plain'}>{t.choose}</Button>
            </FileTrigger>
          </div>
        )}
        {imports.odd.length > 0 && (
          <ul role="alert" className={styles.odd}>
            {imports.odd.map(({ name, why }) => (
              <li key={name}>{t[why](name)}</li>
            ))}
          </ul>
        )}
        {imports.files.length > 0 && (
          <>
            <div className={styles.wide}>
              <FileRows imports={imports} />
            </div>
            <div className={styles.actions}>
              {isStored && (
                <Link to="/parts/$partUuid" params={{ partUuid: part?.uuid ?? ROOT_PART_UUID }}>
                  {t.showPart}
                </Link>
              )}
              <Button kind="primary" isDisabled={ready === 0 || imports.isImporting} onPress={imports.importAll}>
                {ready === 1 ? t.importOne : t.importMany(formats.count(ready))}
              </Button>
            </div>
            {imports.files.map((file) => (
              <Fragment key={file.id}>
                <PlanNotes {...file} />
                <FileProblems {...file} />
                {file.table && (file.mapping ?? common) && (
                  <ColumnsEditor
                    fileName={file.file.name}
                    read={file.table}
                    mapping={file.mapping ?? common ?? {}}
                    onChange={(changed) => imports.map(file.id, changed)}
                    onKept={(name) => choose({ kept: name })}
                  />
                )}
              </Fragment>
            ))}
          </>
        )}
      </div>
    </Page>
  );
}

function isZone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
