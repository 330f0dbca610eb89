import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useFormats, useTexts } from '../../design/language/language';
import { Fill } from '../../design/layout/fill';
import { Empty } from '../../design/states/pane-state';
import { attributeFacts } from '../../quality/attributes/attribute-facts';
import { useAttributeText, useConfiguration } from '../../quality/attributes/configuration';
import { PartPage as PartFrame } from '../../quality/plan/part-page';
import { usePart } from '../../quality/plan/use-plan-items';
import { queryKeys } from '../../server/queries/keys';
import { useServer } from '../../server/server';
import { nameOf, namesOf } from '../../server/queries/plan-path';
import { PartsBelow } from './parts-below';
import { OverviewTable } from './overview-table';
import { SpectrumPane } from './spectrum-pane';
import { useAddressedItems } from '../../server/use-view';
import styles from './part.module.css';
import { texts } from './texts';
import { usePartView } from './use-part-view';

/** All characteristics of a part and below it: totals, spectrum, and a table with the worst first. */
export function PartPage() {
  const t = useTexts(texts);
  const formats = useFormats();
  const { partUuid = '' } = useAddressedItems();
  const { choice, change } = usePartView();
  const server = useServer();
  const part = usePart(partUuid);
  const { configuration } = useConfiguration();
  const attributeText = useAttributeText(configuration);
  const statuses = useQuery({
    queryKey: queryKeys.overview('part', partUuid, 'statuses', choice.isOwn),
    queryFn: ({ signal }) => server.analysis.statuses(partUuid, { ...(choice.isOwn && { depth: 1 }), signal }),
  });
  const count = statuses.data?.characteristics.length;
  const facts = useMemo(
    () => [
      ...(count === undefined ? [] : [{ name: t.characteristics, value: formats.count(count) }]),
      ...attributeFacts(part.data?.attributes ?? {}, configuration, attributeText),
    ],
    [attributeText, configuration, count, formats, part.data, t],
  );

  return (
    <PartFrame partUuid={partUuid} view="overview" facts={facts}>
      {count === 0 ? (
        <Empty>
          <p>{choice.isOwn ? t.emptyOwn : t.empty}</p>
          {!choice.isOwn && (
            <p className={styles.ways}>
              <Link to="/parts/$partUuid/plan" params={{ partUuid }}>
                {t.toPlan}
              </Link>
              <Link to="/import" search={{ part: partUuid }}>
                {t.toImport}
              </Link>
            </p>
          )}
          {choice.isOwn && (
            <p>
              <Link to="/parts/$partUuid" params={{ partUuid }}>
                {t.showBelow}
              </Link>
            </p>
          )}
        </Empty>
      ) : (
        <>
          {!choice.isOwn && <PartsBelow partUuid={partUuid} depth={namesOf(part.data?.path ?? '/').length} />}
          <Fill>
            <SpectrumPane partUuid={partUuid} name={nameOf(part.data?.path ?? '/')} statuses={statuses} choice={choice} change={change} />
            <OverviewTable partUuid={partUuid} part={part.data} choice={choice} change={change} />
          </Fill>
        </>
      )}
    </PartFrame>
  );
}
