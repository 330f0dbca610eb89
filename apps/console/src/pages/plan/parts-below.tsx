import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { QuietButton } from '../../design/controls/buttons';
import { FilterField } from '../../design/controls/field';
import { useFormats, useTexts } from '../../design/language/language';
import { OptionsLine, TableFoot } from '../../design/layout/lines';
import { PaneHead } from '../../design/page/pane-head';
import { Empty } from '../../design/states/pane-state';
import table from '../../design/tables/table.module.css';
import { nameOf } from '../../server/queries/plan-path';
import type { PlanItem } from './plan-item';
import styles from './plan.module.css';
import { texts } from './texts';
import checkStyles from '../../design/controls/check.module.css';

/** Most rows; the filter finds the others. */
const MAX_ROWS = 300;

export interface PartsBelowProps {
  items: readonly PlanItem[];
  chosen: ReadonlySet<string>;
  onChoose: (chosen: ReadonlySet<string>) => void;
  /** Actions; absent where the reader may not. */
  onCreate?: () => void;
  onMove?: () => void;
  onDelete?: () => void;
}

/** Parts directly below another one, each with the way to its own plan; chosen ones are moved or deleted together. */
export function PartsBelow({ items, chosen, onChoose, onCreate, onMove, onDelete }: PartsBelowProps) {
  const t = useTexts(texts);
  const formats = useFormats();
  const [find, setFind] = useState('');
  const found = items
    .filter(({ path }) => nameOf(path).toLowerCase().includes(find.trim().toLowerCase()))
    .sort((a, b) => formats.compare(nameOf(a.path), nameOf(b.path)));
  const shown = found.slice(0, MAX_ROWS);
  const selected = items.filter(({ uuid }) => chosen.has(uuid));
  const toggle = (uuids: readonly string[], isChosen: boolean) => {
    const next = new Set(chosen);
    for (const uuid of uuids)
      if (isChosen) next.add(uuid);
      else next.delete(uuid);
    onChoose(next);
  };
  const title = t.parts;
  const uuids = shown.map(({ uuid }) => uuid);
  const some = formats.count(selected.length);
  return (
    <section className={styles.children}>
      <PaneHead name={title} note={selected.length === 0 ? formats.count(items.length) : t.chosen(some, formats.count(items.length))} />
      <OptionsLine
        actions={
          onCreate && (
            <>
              <QuietButton onPress={onCreate}>{t.newPart}</QuietButton>
              <QuietButton {...(onMove && { onPress: onMove })} isDisabled={selected.length === 0}>
                {selected.length === 0 ? t.move : t.moveSome(some)}
              </QuietButton>
              <QuietButton isDanger {...(onDelete && { onPress: onDelete })} isDisabled={selected.length === 0}>
                {selected.length === 0 ? t.delete : t.deleteSome(some)}
              </QuietButton>
            </>
          )
        }
      >
        {items.length > 0 && <FilterField label={t.filterParts} value={find} onChange={setFind} />}
      </OptionsLine>
      {shown.length === 0 ? (
        <Empty>
          <p>{items.length === 0 ? t.noParts : t.nothingFound}</p>
        </Empty>
      ) : (
        <>
          <div className={table.scrolled}>
            <table className={table.data} aria-label={title}>
              <thead>
                <tr>
                  {onCreate && (
                    <th scope="col" className={styles.check}>
                      <input
                        type="checkbox"
                        className={checkStyles.check}
                        aria-label={t.chooseAll}
                        checked={uuids.every((uuid) => chosen.has(uuid))}
                        onChange={(event) => toggle(uuids, event.target.checked)}
                      />
                    </th>
                  )}
                  <th scope="col">{t.name}</th>
                </tr>
              </thead>
              <tbody>
                {shown.map(({ uuid, path }) => {
                  const name = nameOf(path);
                  const isChosen = chosen.has(uuid);
                  return (
                    <tr key={uuid} className={isChosen ? styles.chosen : undefined}>
                      {onCreate && (
                        <td className={styles.check}>
                          <input
                            type="checkbox"
                            className={checkStyles.check}
                            aria-label={t.choose(name)}
                            checked={isChosen}
                            onChange={(event) => toggle([uuid], event.target.checked)}
                          />
                        </td>
                      )}
                      <th scope="row">
                        <Link to="/parts/$partUuid/plan" params={{ partUuid: uuid }}>
                          {name}
                        </Link>
                      </th>
                    </tr>
                  );
                })}
              </tbody>
            </table>
          </div>
          <TableFoot>{t.rows(formats.count(shown.length), formats.count(found.length))}</TableFoot>
        </>
      )}
    </section>
  );
}
