import type { PartStatuses } from '@sinebar/client';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTexts } from '../../design/language/language';
import { Pane } from '../../design/states/pane-state';
import { lightOf } from '../../quality/values/lights';
import { StatusSection, StatusSpectrum } from '../../quality/values/status-spectrum';
import { queryKeys } from '../../server/queries/keys';
import { useServer } from '../../server/server';
import { spectrumGroups } from './spectrum-groups';
import { texts } from './texts';
import type { OverviewChoice } from './use-overview';
import type { ViewChange } from './use-part-view';

export interface SpectrumPaneProps {
  partUuid: string;
  /** Name of the part. */
  name: string;
  statuses: UseQueryResult<PartStatuses>;
  choice: OverviewChoice;
  change: (change: ViewChange) => void;
}

/** Totals that filter the table, and one tick for each characteristic in plan order. */
export function SpectrumPane({ partUuid, name, statuses, choice, change }: SpectrumPaneProps) {
  const t = useTexts(texts);
  const server = useServer();
  const children = useQuery({
    queryKey: queryKeys.overview('part', partUuid, 'children'),
    queryFn: ({ signal }) => server.analysis.children(partUuid, { signal }),
    enabled: !choice.isOwn,
  });
  const list = useMemo(() => statuses.data?.characteristics.map(([, now]) => lightOf(now)) ?? [], [statuses.data]);
  const groups = useMemo(
    () => spectrumGroups(list, choice.isOwn ? [] : (children.data?.children ?? []), name),
    [list, children.data, choice.isOwn, name],
  );
  return (
    <StatusSection label={t.spectrum}>
      <Pane query={statuses}>
        {({ characteristics }) => (
          <StatusSpectrum
            groups={groups}
            statuses={list}
            names={t}
            chosen={choice.statuses}
            onChoose={(chosen) => change({ statuses: chosen, selected: undefined })}
            onPick={(index) => change({ selected: characteristics[index]?.[0] })}
          />
        )}
      </Pane>
    </StatusSection>
  );
}
