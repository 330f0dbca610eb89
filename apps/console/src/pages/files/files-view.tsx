import type { RawDataInformation, TargetEntity } from '@sinebar/client';
import { useMemo } from 'react';
import { FileTrigger } from 'react-aria-components';
import { Button } from '../../design/controls/button';
import { ButtonPair } from '../../design/controls/buttons';
import { Choice } from '../../design/controls/choice';
import { FilterField } from '../../design/controls/field';
import { useDrop } from '../../design/controls/use-drop';
import { useTexts } from '../../design/language/language';
import { OptionsLine, Rare } from '../../design/layout/lines';
import { Split } from '../../design/layout/split';
import { AsProgram } from '../../design/program/program';
import { Empty, Failed, Skeleton } from '../../design/states/pane-state';
import { fileId } from '../../quality/files/file-targets';
import { LostFiles } from '../../quality/files/lost-files';
import { FILE_KINDS, fileKind, type FileKind } from '../../quality/files/file-kind';
import { useMay } from '../../server/session/use-session';
import type { ViewChange } from '../../server/use-view';
import { FileTable } from './file-table';
import { FileTiles } from './file-tiles';
import styles from './files.module.css';
import { FILE_OWNERS, type FileOwners } from './search';
import { SelectedFile } from './selected-file';
import { KIND_TEXTS, texts } from './texts';
import { UploadRows } from './uploads/upload-rows';
import { useFileItems, useFiles } from './use-files';
import { useUploads } from './uploads/use-uploads';
import textStyles from '../../design/styles/text.module.css';

/** The view as the address says it. */
export interface FilesAddress {
  of: FileOwners;
  kind: FileKind | undefined;
  find: string;
  view: 'grid' | 'list';
  selected: string | undefined;
  entry: string | undefined;
}

/** Parameters of the address. */
export type FilesAddressParameters = { [Name in keyof FilesAddress]: Exclude<FilesAddress[Name], undefined> };
export type FilesChange = ViewChange<FilesAddressParameters>;

export interface FilesViewProps {
  partUuid: string | undefined;
  partPath: string | undefined;
  /** Target of dropped files; none can be added without it. */
  target: TargetEntity | undefined;
  targetName: string;
  address: FilesAddress;
  change: (change: FilesChange) => void;
}

/** Newest files that show as tiles; the others stand in the list below. */
const TILES = 8;
const OWNER_TEXTS = { below: 'ofBelow', own: 'ofOwn', measurements: 'ofMeasurements', all: 'ofAll' } as const;

/** Files as tiles with previews or as a list, the field to drop files on, and the selected file. */
export function FilesView({ partUuid, partPath, target, targetName, address, change }: FilesViewProps) {
  const t = useTexts(texts);
  const mayWrite = useMay('rawData:write', partPath);
  const canUpload = target !== undefined && mayWrite === true;
  const files = useFiles({ partPath, partUuid, owners: address.of });
  const uploads = useUploads();
  const shown = useMemo(() => {
    const words = address.find.toLowerCase();
    return (files.data ?? []).filter(
      (file) => file.fileName.toLowerCase().includes(words) && (address.kind === undefined || fileKind(file) === address.kind),
    );
  }, [files.data, address.find, address.kind]);
  const selected = useMemo(() => files.data?.find((file) => fileId(file) === address.selected), [files.data, address.selected]);
  const itemOf = useFileItems(files.data ?? []);
  const drop = useDrop(canUpload, (dropped) => target && uploads.add(dropped, target, targetName));
  const select = (file: RawDataInformation) => change({ selected: fileId(file), entry: undefined });
  const isFiltered = address.find !== '' || address.kind !== undefined;
  const owners = FILE_OWNERS.filter((of) => of !== 'own' || partUuid !== undefined);

  return (
    <Split
      isRuled
      detailLabel={t.selectedFile}
      detail={
        <SelectedFile
          file={selected}
          isMissing={address.selected !== undefined && files.data !== undefined && selected === undefined}
          mayWrite={mayWrite === true}
          itemOf={itemOf}
          entry={address.entry}
          onEntry={(entry) => change({ entry })}
          onDeleted={() => change({ selected: undefined, entry: undefined })}
        />
      }
    >
      <div className={styles.column} {...drop.handlers}>
        <OptionsLine
          actions={
            <>
              <Rare>
                <ButtonPair label={t.view}>
                  {(['grid', 'list'] as const).map((view) => (
                    <Button key={view} isOn={address.view === view} onPress={() => change({ view: view === 'grid' ? undefined : view })}>
                      {t[view]}
                    </Button>
                  ))}
                </ButtonPair>
                <AsProgram
                  requests={[
                    {
                      title: t.title,
                      path: '/rawDataServiceRest/rawDataInformation/part',
                      query: partPath === undefined ? {} : { partPath },
                    },
                  ]}
                />
              </Rare>
              {canUpload && (
                <FileTrigger allowsMultiple onSelect={(list) => uploads.add([...(list ?? [])], target, targetName)}>
                  <Button kind="primary">{t.upload}</Button>
                </FileTrigger>
              )}
            </>
          }
        >
          <FilterField label={t.filter} value={address.find} onChange={(find) => change({ find: find === '' ? undefined : find })} />
          <Choice
            what={t.of}
            value={t[OWNER_TEXTS[address.of]]}
            options={owners.map((id) => ({ id, name: t[OWNER_TEXTS[id]] }))}
            chosen={address.of}
            onChoose={(of) => change({ of: of === 'below' ? undefined : of })}
          />
          <Choice
            what={t.kind}
            value={address.kind === undefined ? t.all : t[KIND_TEXTS[address.kind]]}
            options={[{ id: 'all', name: t.all }, ...FILE_KINDS.map((id) => ({ id, name: t[KIND_TEXTS[id]] }))]}
            chosen={address.kind ?? 'all'}
            onChoose={(kind) => change({ kind: FILE_KINDS.find((each) => each === kind) })}
          />
        </OptionsLine>
        {target !== undefined && mayWrite === false && <p className={textStyles.note}>{t.missingRight}</p>}
        {canUpload && (
          <LostFiles
            form={`files of ${target.entity} ${target.uuid}`}
            names={uploads.uploads.filter(({ state }) => state === 'waiting' || state === 'sending').map(({ name }) => name)}
          />
        )}
        {canUpload && <UploadRows uploads={uploads} targetName={targetName} isOver={drop.isOver} onOpen={(file) => select(file)} />}
        {files.data === undefined ? (
          files.error === null ? (
            <Skeleton rows={8} />
          ) : (
            <Failed error={files.error} onRetry={() => void files.refetch()} />
          )
        ) : shown.length === 0 ? (
          <Empty>
            <p>{isFiltered ? t.noMatch : canUpload ? t.empty : t.emptyReadOnly}</p>
            {isFiltered && <Button onPress={() => change({ find: undefined, kind: undefined })}>{t.removeFilter}</Button>}
          </Empty>
        ) : address.view === 'grid' ? (
          <>
            <FileTiles files={shown.slice(0, TILES)} total={shown.length} itemOf={itemOf} selected={address.selected} onSelect={select} />
            {shown.length > TILES && (
              <FileTable name={t.older} files={shown.slice(TILES)} itemOf={itemOf} selected={address.selected} onSelect={select} />
            )}
          </>
        ) : (
          <FileTable name={t.allFiles} files={shown} itemOf={itemOf} selected={address.selected} onSelect={select} />
        )}
      </div>
    </Split>
  );
}
