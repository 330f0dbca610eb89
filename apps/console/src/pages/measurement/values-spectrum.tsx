import { useMemo } from 'react';
import { useTexts } from '../../design/language/language';
import type { MeasuredRow } from '../../quality/values/measured-rows';
import { StatusSection, StatusSpectrum } from '../../quality/values/status-spectrum';
import { useView } from '../../server/use-view';
import type { MeasurementAddress } from './search';
import { texts } from './texts';

/** Totals that filter the table, and one tick for each value in plan order. */
export function ValuesSpectrum({ rows }: { rows: readonly MeasuredRow[] }) {
  const t = useTexts(texts);
  const { view, change } = useView<MeasurementAddress>();
  const groups = useMemo(() => groupsOf(rows), [rows]);
  return (
    <StatusSection label={t.spectrum}>
      <StatusSpectrum
        groups={groups}
        statuses={rows.map(({ status }) => status)}
        names={t}
        chosen={view.statuses ?? []}
        height={36}
        onChoose={(statuses) => change({ statuses })}
        onPick={(index) => change({ selected: rows[index]?.uuid }, { isStep: false })}
      />
    </StatusSection>
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
