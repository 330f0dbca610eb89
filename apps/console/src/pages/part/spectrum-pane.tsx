import type { PartStatuses } from '@sinebar/client';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useMemo } from 'react';
import { Spectrum } from '../../charts/small/spectrum';
import { Button } from '../../design/controls/button';
import { useFormats, useTexts } from '../../design/language/language';
import { Pane } from '../../design/states/pane-state';
import { Glyph } from '../../design/status/glyph';
import { useWidth } from '../../design/page/use-width';
import { queryKeys } from '../../server/queries/keys';
import { useServer } from '../../server/server';
import { FILTER_STATUSES } from './search';
import { spectrumGroups } from './spectrum-groups';
import styles from './part.module.css';
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

/** Width of the content before it is measured, px. */
const USUAL_WIDTH = 1152;

/** Totals that filter the table, and one tick for each characteristic in plan order. */
export function SpectrumPane({ partUuid, name, statuses, choice, change }: SpectrumPaneProps) {
  const t = useTexts(texts);
  const formats = useFormats();
  const server = useServer();
  const children = useQuery({
    queryKey: queryKeys.overview('part', partUuid, 'children'),
    queryFn: ({ signal }) => server.analysis.children(partUuid, { signal }),
    enabled: !choice.isOwn,
  });
  const [width, frame] = useWidth();
  const list = useMemo(() => statuses.data?.characteristics.map(([, status]) => status) ?? [], [statuses.data]);
  const groups = useMemo(
    () => spectrumGroups(list, choice.isOwn ? [] : (children.data?.children ?? []), name),
    [list, children.data, choice.isOwn, name],
  );
  const toggle = (status: (typeof FILTER_STATUSES)[number]) => {
    const chosen = choice.statuses.includes(status) ? choice.statuses.filter((each) => each !== status) : [...choice.statuses, status];
    change({ statuses: chosen.length === 0 ? undefined : chosen, selected: undefined });
  };

  return (
    <section className={styles.spectrum} aria-label={t.spectrum}>
      <Pane query={statuses}>
        {() => (
          <>
            <div className={styles.totals}>
              {FILTER_STATUSES.map((status) => (
                <Button key={status} kind="quiet" isOn={choice.statuses.includes(status)} onPress={() => toggle(status)}>
                  <span className={styles.total}>
                    <Glyph name={status} label="" />
                    <strong>{formats.count(list.filter((each) => each === status).length)}</strong>
                    <span>{t[status]}</span>
                  </span>
                </Button>
              ))}
            </div>
            <div ref={frame}>
              <Spectrum
                groups={groups}
                width={width ?? USUAL_WIDTH}
                onPick={(index) => change({ selected: statuses.data?.characteristics[index]?.[0] })}
              />
            </div>
          </>
        )}
      </Pane>
    </section>
  );
}
