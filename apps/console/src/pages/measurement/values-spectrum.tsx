import { useMemo } from 'react';
import { Spectrum } from '../../charts/small/spectrum';
import { Button } from '../../design/controls/button';
import { useFormats, useTexts } from '../../design/language/language';
import { useWidth } from '../../design/page/use-width';
import { Glyph } from '../../design/status/glyph';
import type { MeasuredRow } from '../../quality/values/measured-rows';
import { useView } from '../../server/use-view';
import styles from './measurement.module.css';
import { FILTER_STATUSES, type FilterStatus, type MeasurementAddress } from './search';
import { texts } from './texts';

/** Width of the content before it is measured, px. */
const USUAL_WIDTH = 1152;

/** Totals that filter the table, and one tick for each value in plan order. */
export function ValuesSpectrum({ rows }: { rows: readonly MeasuredRow[] }) {
  const t = useTexts(texts);
  const formats = useFormats();
  const { view, change } = useView<MeasurementAddress>();
  const { statuses = [] } = view;
  const [width, frame] = useWidth();
  const groups = useMemo(() => groupsOf(rows), [rows]);
  const toggle = (status: FilterStatus) => {
    const chosen = statuses.includes(status) ? statuses.filter((each) => each !== status) : [...statuses, status];
    change({ statuses: chosen.length === 0 ? undefined : chosen });
  };
  return (
    <section className={styles.spectrum} aria-label={t.spectrum}>
      <div className={styles.totals}>
        {FILTER_STATUSES.map((status) => (
          <Button key={status} kind="quiet" isOn={statuses.includes(status)} onPress={() => toggle(status)}>
            <span className={styles.total}>
              <Glyph name={status} label="" />
              <strong>{formats.count(rows.filter((row) => row.status === status).length)}</strong>
              <span>{t[status]}</span>
            </span>
          </Button>
        ))}
      </div>
      <div ref={frame}>
        <Spectrum
          groups={groups}
          width={width ?? USUAL_WIDTH}
          height={36}
          onPick={(index) => change({ selected: rows[index]?.uuid }, { isStep: false })}
        />
      </div>
    </section>
  );
}

/** Characteristics that stand together below the same characteristic, in plan order. */
function groupsOf(rows: readonly MeasuredRow[]) {
  const groups: { name: string; statuses: MeasuredRow['status'][] }[] = [];
  for (const { group, status } of rows) {
    const last = groups.at(-1);
    if (last?.name === group) last.statuses.push(status);
    else groups.push({ name: group, statuses: [status] });
  }
  return groups;
}
