import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useTexts } from '../../design/language/language';
import { Empty, Failed, Skeleton } from '../../design/states/pane-state';
import { useConfiguration } from '../../quality/attributes/configuration';
import { PartPage } from '../../quality/plan/part-page';
import { usePart } from '../../quality/plan/use-plan-items';
import { queryKeys } from '../../server/queries/keys';
import { plainPathOf } from '../../server/queries/plan-path';
import { useServer } from '../../server/server';
import { useMay } from '../../server/session/use-session';
import { useAddressedItems } from '../../server/use-view';
import { EntryForm } from './entry-form';
import { FORM_KEYS, measuredCharacteristic } from './measured-characteristic';
import { texts } from './texts';

/** Values of one measurement, entered by hand or by a gauge. */
export function EntryPage() {
  const { partUuid = '' } = useAddressedItems();
  return (
    <PartPage partUuid={partUuid} view="entry">
      <Entry key={partUuid} partUuid={partUuid} />
    </PartPage>
  );
}

function Entry({ partUuid }: { partUuid: string }) {
  const t = useTexts(texts);
  const server = useServer();
  const part = usePart(partUuid);
  const partPath = part.data && plainPathOf(part.data.path);
  const mayWrite = useMay('measurement:write', partPath);
  // A form that is open stays when its reader loses the right, with what is typed.
  const [isOpen, setOpen] = useState(false);
  if (mayWrite && !isOpen) setOpen(true);
  const { configuration, isReady, error } = useConfiguration();
  const { uuid } = part.data ?? {};
  const characteristics = useQuery({
    queryKey: queryKeys.plan('characteristics of part', uuid, 'form'),
    queryFn: ({ signal }) =>
      server.characteristics.list({ partPath: partPath ?? '', requestedCharacteristicAttributes: FORM_KEYS, signal }),
    enabled: partPath !== undefined,
  });
  const rows = useMemo(() => characteristics.data?.map(measuredCharacteristic), [characteristics.data]);
  const failure = characteristics.error ?? error;
  if (partPath !== undefined && !mayWrite && !isOpen) return <Empty>{t.readOnly(partPath)}</Empty>;
  if ((rows === undefined || !isReady) && failure !== null && failure !== undefined)
    return <Failed error={failure} onRetry={() => void characteristics.refetch()} />;
  if (rows === undefined || !isReady) return <Skeleton rows={8} />;
  if (rows.length === 0) {
    return (
      <Empty>
        <p>{t.none}</p>
        <p>
          <Link to="/parts/$partUuid/plan" params={{ partUuid }}>
            {t.toPlan}
          </Link>
        </p>
      </Empty>
    );
  }
  return (
    <EntryForm
      partUuid={partUuid}
      characteristics={rows}
      configuration={configuration}
      missingRight={mayWrite || partPath === undefined ? undefined : t.readOnly(partPath)}
    />
  );
}
