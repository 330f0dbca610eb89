import { useCallback, useMemo } from 'react';
import { useFormats, useTexts } from '../../design/language/language';
import { Fill } from '../../design/layout/fill';
import { Page } from '../../design/page/page';
import { PartPage } from '../../quality/plan/part-page';
import { usePart } from '../../quality/plan/use-plan-items';
import { namesOf, plainPathOf } from '../../server/queries/plan-path';
import { useView, useAddressedItems } from '../../server/use-view';
import { FilesView, type FilesAddress, type FilesAddressParameters, type FilesChange } from './files-view';
import { texts } from './texts';
import { useFiles } from './use-files';

/** Files of a part and below it, of a characteristic, or of all parts. */
export function FilesPage() {
  const t = useTexts(texts);
  const { partUuid, characteristicUuid } = useAddressedItems();
  const { view: parameters, change: changeAddress } = useView<FilesAddressParameters>();
  const change = useCallback(
    (changes: FilesChange) =>
      changeAddress(changes, { isStep: !Object.keys(changes).every((name) => name === 'selected' || name === 'entry' || name === 'find') }),
    [changeAddress],
  );
  const { of = 'below', kind, find = '', view = 'grid', selected, entry } = parameters;
  const address = useMemo<FilesAddress>(() => ({ of, kind, find, view, selected, entry }), [of, kind, find, view, selected, entry]);
  if (partUuid === undefined) {
    return (
      <Page title={t.title}>
        <Fill>
          <FilesView partUuid={undefined} partPath={undefined} target={undefined} targetName="" address={address} change={change} />
        </Fill>
      </Page>
    );
  }
  return <FilesOfPart partUuid={partUuid} characteristicUuid={characteristicUuid} address={address} change={change} />;
}

interface FilesOfPartProps {
  partUuid: string;
  characteristicUuid: string | undefined;
  address: FilesAddress;
  change: (change: FilesChange) => void;
}

function FilesOfPart({ partUuid, characteristicUuid, address, change }: FilesOfPartProps) {
  const t = useTexts(texts);
  const formats = useFormats();
  const part = usePart(partUuid);
  const partPath = part.data && plainPathOf(part.data.path);
  const files = useFiles({ partPath, partUuid, owners: address.of });
  const size = files.data?.reduce((sum, file) => sum + file.size, 0);
  const facts =
    files.data === undefined || size === undefined
      ? []
      : [
          { name: t.shownFiles, value: formats.count(files.data.length) },
          { name: t.together, value: formats.size(size) },
        ];
  return (
    <PartPage partUuid={partUuid} view="files" facts={facts}>
      <Fill>
        {partPath !== undefined && (
          <FilesView
            partUuid={partUuid}
            partPath={partPath}
            target={
              characteristicUuid === undefined ? { entity: 'Part', uuid: partUuid } : { entity: 'Characteristic', uuid: characteristicUuid }
            }
            targetName={namesOf(part.data?.path ?? '/').at(-1) ?? '/'}
            address={address}
            change={change}
          />
        )}
      </Fill>
    </PartPage>
  );
}
