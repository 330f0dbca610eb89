import { useState } from 'react';
import { Combo } from '../../../design/controls/combo';
import fieldStyles from '../../../design/controls/field.module.css';
import { FormDialog } from '../../../quality/editing/form-dialog';
import { TextField } from '../../../design/controls/text-field';
import { useFormats, useTexts } from '../../../design/language/language';
import tableStyles from '../../../design/tables/table.module.css';
import { AttributeField, useTextProblem } from '../../../quality/attributes/attribute-field';
import { useAttributeText, type Configuration } from '../../../quality/attributes/configuration';
import { typedNumber } from '../../../quality/attributes/written-text';
import type { Fields } from '../../../quality/editing/draft';
import { NAME } from '../plan-item';
import { changedTexts, type BulkHow } from './bulk-texts';
import styles from './table.module.css';
import { texts } from './texts';

/** Most rows of the preview. */
const MAX_ROWS = 100;

export interface BulkChangeProps {
  partUuid: string;
  rows: readonly { uuid: string; fields: Fields }[];
  configuration: Configuration;
  onTake: (cells: readonly (readonly [uuid: string, field: string, text: string])[]) => void;
  onClose: () => void;
}

/** Changes one attribute of several characteristics, with a preview. */
export function BulkChange({ partUuid, rows, configuration, onTake, onClose }: BulkChangeProps) {
  const t = useTexts(texts);
  const { count } = useFormats();
  const problemOf = useTextProblem();
  const attributeText = useAttributeText(configuration);
  const definitions = configuration.of('characteristic');
  const [field, setField] = useState(String(definitions[0]?.key ?? NAME));
  const [how, setHow] = useState<BulkHow>('set');
  const [text, setText] = useState('');
  const [by, setBy] = useState('');
  const definition = definitions.find(({ key }) => String(key) === field);
  const isSimple = definition?.definitionType === 'AttributeDefinition';
  const isNumber = isSimple && (definition.type === 'Float' || definition.type === 'Integer');
  const isText = definition === undefined || (isSimple && definition.type === 'AlphaNumeric');
  const ways: readonly BulkHow[] = field === NAME ? ['replace'] : isNumber ? ['set', 'add'] : isText ? ['set', 'replace'] : ['set'];
  const way = ways.includes(how) ? how : (ways[0] ?? 'set');
  const cells = changedTexts(rows, { field, how: way, text, by });
  const wrong = definition && cells.map((cell) => problemOf(definition, cell.text)).find((why) => why !== undefined);
  const shownText = (value: string) => (field === NAME ? value : attributeText(Number(field), value).text);
  return (
    <FormDialog
      title={t.changeTitle(count(rows.length))}
      isWide
      action={t.takeOver}
      canSubmit={cells.length > 0 && wrong === undefined}
      error={null}
      onSubmit={() => onTake(cells.map((cell) => [cell.uuid, field, cell.text]))}
      draft={{
        form: `change in ${partUuid}`,
        value: { field, how, text, by },
        onRestore: (kept) => {
          setField(kept.field);
          setHow(kept.how);
          setText(kept.text);
          setBy(kept.by);
        },
      }}
      onClose={onClose}
    >
      <Combo
        label={t.attribute}
        options={[
          { id: NAME, name: t.name },
          ...definitions.map(({ key, description }) => ({ id: String(key), name: description, note: String(key) })),
        ]}
        chosen={field}
        onChoose={(id) => {
          setField(id);
          setText('');
        }}
      />
      <label className={fieldStyles.labelled}>
        {t.how}
        <select value={way} onChange={(event) => setHow(event.target.value as BulkHow)}>
          {ways.map((each) => (
            <option key={each} value={each}>
              {t[each]}
            </option>
          ))}
        </select>
      </label>
      {way === 'set' && definition !== undefined && (
        <AttributeField key={field} definition={definition} configuration={configuration} text={text} onChange={setText} />
      )}
      {way === 'add' && <TextField label={t.amount} value={text} onChange={(typed) => setText(typedNumber(typed))} inputMode="decimal" />}
      {way === 'replace' && (
        <>
          <TextField label={t.search} value={text} onChange={setText} />
          <TextField label={t.by} value={by} onChange={setBy} />
        </>
      )}
      {wrong !== undefined && <p role="alert">{wrong}</p>}
      <p role="status">
        {t.changesCells(count(cells.length))}. {t.saveLater}
      </p>
      {cells.length > 0 && (
        <div className={styles.preview}>
          <table className={tableStyles.data} aria-label={t.changesCells(count(cells.length))}>
            <thead>
              <tr>
                {[t.name, t.before, t.after].map((head) => (
                  <th key={head} scope="col">
                    {head}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {cells.slice(0, MAX_ROWS).map((cell) => (
                <tr key={cell.uuid}>
                  <th scope="row">{cell.name}</th>
                  <td>{cell.was === '' ? t.empty : shownText(cell.was)}</td>
                  <td>{cell.text === '' ? t.empty : shownText(cell.text)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </FormDialog>
  );
}
