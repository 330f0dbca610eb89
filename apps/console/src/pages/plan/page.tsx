import { useQuery } from '@tanstack/react-query';
import { Failed, Skeleton } from '../../design/states/pane-state';
import { useConfiguration } from '../../quality/attributes/configuration';
import { CharacteristicPage } from '../../quality/plan/characteristic-page';
import { PartPage } from '../../quality/plan/part-page';
import { characteristicQuery, partQuery } from '../../server/queries/plan-queries';
import { useServer } from '../../server/server';
import { useAddressedItems } from '../../server/use-view';
import { PlanEditor } from './plan-editor';

/** The plan of a part or characteristic: its name, its attributes, and what stands directly below it. */
export function PlanPage() {
  const { partUuid = '', characteristicUuid } = useAddressedItems();
  const server = useServer();
  const { configuration, isReady, error } = useConfiguration();
  const part = useQuery(partQuery(server, partUuid));
  const characteristic = useQuery({
    ...characteristicQuery(server, characteristicUuid ?? ''),
    enabled: characteristicUuid !== undefined,
  });
  const kind = characteristicUuid === undefined ? 'part' : 'characteristic';
  const item = kind === 'part' ? part : characteristic;
  if (item.data !== undefined && isReady) {
    return <PlanEditor key={item.data.uuid} kind={kind} item={item.data} partUuid={partUuid} configuration={configuration} />;
  }
  const failure = item.error ?? error;
  const state =
    failure === null || failure === undefined ? <Skeleton rows={8} /> : <Failed error={failure} onRetry={() => void item.refetch()} />;
  if (characteristicUuid === undefined) {
    return (
      <PartPage partUuid={partUuid} view="plan">
        {state}
      </PartPage>
    );
  }
  return (
    <CharacteristicPage partUuid={partUuid} characteristicUuid={characteristicUuid} path={undefined}>
      {state}
    </CharacteristicPage>
  );
}
