import { useCallback, useMemo, type ReactNode } from 'react';
import { useTexts } from '../../design/language/language';
import { Fill } from '../../design/layout/fill';
import { Page } from '../../design/page/page';
import { PartPage } from '../../quality/plan/part-page';
import { usePart } from '../../quality/plan/use-plan-items';
import { plainPathOf } from '../../server/queries/plan-path';
import { useView, useAddressedItems } from '../../server/use-view';
import { MeasurementsView } from './measurements-view';
import { USUAL_ORDER, type MeasurementsAddressParameters, type MeasurementsChange } from './search';
import { texts } from './texts';

/** Measurements of a part, of the part of a characteristic, or of all parts. */
export function MeasurementsPage() {
  const t = useTexts(texts);
  const { partUuid } = useAddressedItems();
  const { view: address, change: changeAddress } = useView<MeasurementsAddressParameters>();
  const change = useCallback(
    (changes: MeasurementsChange) => changeAddress(changes, { isStep: !Object.keys(changes).every((name) => name === 'selected') }),
    [changeAddress],
  );
  const { searchCondition = '', order = USUAL_ORDER, deep = false, columns, selected, split } = address;
  const view = useMemo(
    () => ({ searchCondition, order, isDeep: deep, columns, selected, split }),
    [searchCondition, order, deep, columns, selected, split],
  );
  if (partUuid === undefined) {
    return (
      <Page title={t.title}>
        <Fill>
          <MeasurementsView partPath="/" isEverywhere view={view} change={change} />
        </Fill>
      </Page>
    );
  }
  return (
    <PartPage partUuid={partUuid} view="measurements">
      <Fill>
        <OfPart partUuid={partUuid}>{(partPath) => <MeasurementsView partPath={partPath} view={view} change={change} />}</OfPart>
      </Fill>
    </PartPage>
  );
}

function OfPart({ partUuid, children }: { partUuid: string; children: (partPath: string) => ReactNode }) {
  const part = usePart(partUuid);
  return part.data === undefined ? null : children(plainPathOf(part.data.path));
}
