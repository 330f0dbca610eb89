import { STAMP_KEYS } from '@sinebar/client';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { QuietButton } from '../../design/controls/buttons';
import { FilterField } from '../../design/controls/field';
import { TextField } from '../../design/controls/text-field';
import { useFormats, useTexts } from '../../design/language/language';
import { PaneHead } from '../../design/page/pane-head';
import textStyles from '../../design/styles/text.module.css';
import { cellField } from '../../quality/editing/cells';
import { moved, removed, type CellTexts } from './balloon-changes';
import styles from './drawing.module.css';
import { texts } from './texts';
import type { BalloonRow } from './use-balloons';

/** Most characteristics that are listed; a filter finds the others. */
const MAX_ROWS = 200;
/** Way from a balloon to a new target, as fractions. */
const TARGET_OFFSET = { x: 0.04, y: 0.06 };
/** Most characters of a number in a balloon, as its attribute holds them. */
const MAX_NUMBER_LENGTH = 20;

export interface BalloonListProps {
  partUuid: string;
  rows: readonly BalloonRow[];
  selected: string | undefined;
  onSelect: (uuid: string) => void;
  onAdd: (uuid: string) => void;
  onWrite: (cells: CellTexts) => void;
}

/** Changes the selected balloon; below it stand all characteristics of the part. */
export function BalloonList({ partUuid, rows, selected, onSelect, onAdd, onWrite }: BalloonListProps) {
  const t = useTexts(texts);
  const formats = useFormats();
  const [find, setFind] = useState('');
  const wanted = find.trim().toLowerCase();
  const found = rows.filter(({ name, number }) => name.toLowerCase().includes(wanted) || (wanted !== '' && number === wanted));
  const chosen = rows.find(({ uuid, stamp }) => uuid === selected && stamp !== undefined);
  return (
    <>
      {chosen === undefined ? (
        <p className={textStyles.explanation}>{t.choose}</p>
      ) : (
        <SelectedBalloon key={chosen.uuid} partUuid={partUuid} row={chosen} onWrite={onWrite} />
      )}
      <PaneHead name={t.characteristics} note={formats.count(rows.length)} isSpaced />
      <FilterField label={t.filter} value={find} onChange={setFind} />
      {found.length === 0 && <p>{t.nothingFound}</p>}
      <ul className={styles.rows} aria-label={t.characteristics}>
        {found.slice(0, MAX_ROWS).map(({ uuid, name, number, stamp }) => (
          <li
            key={uuid}
            className={`${styles.row} ${uuid === selected ? styles.rowChosen : ''}`}
            aria-current={uuid === selected || undefined}
          >
            <span className={styles.rowNumber}>{stamp !== undefined && number}</span>
            {stamp === undefined ? (
              <>
                <span className={styles.rowName}>{name}</span>
                <QuietButton aria-label={t.addTo(name)} onPress={() => onAdd(uuid)}>
                  {t.add}
                </QuietButton>
              </>
            ) : (
              <button type="button" className={styles.rowName} onClick={() => onSelect(uuid)}>
                {name}
              </button>
            )}
          </li>
        ))}
      </ul>
      {found.length > MAX_ROWS && <p className={textStyles.note}>{t.first(formats.count(MAX_ROWS), formats.count(found.length))}</p>}
    </>
  );
}

function SelectedBalloon({ partUuid, row, onWrite }: { partUuid: string; row: BalloonRow; onWrite: (cells: CellTexts) => void }) {
  const t = useTexts(texts);
  const { percent } = useFormats();
  const { uuid, name, number, caption, characteristicNumber, stamp } = row;
  if (stamp === undefined) return null;
  const { target } = stamp;
  return (
    <section className={styles.selected} aria-label={t.balloon(number, name)}>
      <h2 className={textStyles.title}>
        <Link to="/parts/$partUuid/characteristics/$characteristicUuid" params={{ partUuid, characteristicUuid: uuid }}>
          {name}
        </Link>
      </h2>
      <TextField
        label={t.numberField}
        value={caption}
        placeholder={characteristicNumber}
        maxLength={MAX_NUMBER_LENGTH}
        onChange={(text) => onWrite([[cellField(uuid, STAMP_KEYS.caption), text.trim()]])}
      />
      <div role="status" className={textStyles.note}>
        <p>{t.position(percent(stamp.x, 1), percent(stamp.y, 1))}</p>
        {target !== undefined && <p>{t.targetPosition(percent(target.x, 1), percent(target.y, 1))}</p>}
      </div>
      <div className={styles.buttons}>
        {target === undefined ? (
          <QuietButton onPress={() => onWrite(moved(uuid, 'target', { x: stamp.x + TARGET_OFFSET.x, y: stamp.y + TARGET_OFFSET.y }))}>
            {t.addTarget}
          </QuietButton>
        ) : (
          <QuietButton
            onPress={() =>
              onWrite([
                [cellField(uuid, STAMP_KEYS.targetX), ''],
                [cellField(uuid, STAMP_KEYS.targetY), ''],
              ])
            }
          >
            {t.removeTarget}
          </QuietButton>
        )}
        <QuietButton isDanger onPress={() => onWrite(removed(uuid))}>
          {t.remove}
        </QuietButton>
      </div>
    </section>
  );
}
