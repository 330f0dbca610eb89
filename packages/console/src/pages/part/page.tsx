import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useFormats, useTexts } from '../../design/language/language';
import { Fill } from '../../design/layout/fill';
import { Empty } from '../../design/states/pane-state';
import { attributeFacts } from '../../quality/attributes/attribute-facts';
import { useAttributeText, useConfiguration } from '../../quality/attributes/configuration';
import { PartPage as PartFrame } from '../../quality/plan/part-page';
import { usePart } from '../../quality/plan/place';
import { useServer } from '../../server/server';
import { namesOf } from '../../quality/plan/plan-path';
import { OverviewTable } from './overview-table';
import { SpectrumPane } from './spectrum-pane';
import { useAddressedItems } from '../../server/use-view';
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
    queryKey: ['overview', 'part', partUuid, 'statuses', choice.isOwn],
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
          {choice.isOwn && (
            <p>
              <Link to="/parts/$partUuid" params={{ partUuid }}>
                {t.showBelow}
              </Link>
            </p>
          )}
        </Empty>
      ) : (
        <Fill>
          <SpectrumPane
            partUuid={partUuid}
            name={namesOf(part.data?.path ?? '/').at(-1) ?? ''}
            statuses={statuses}
            choice={choice}
            change={change}
          />
          <OverviewTable partUuid={partUuid} part={part.data} choice={choice} change={change} />
        </Fill>
      )}
    </PartFrame>
  );
}
