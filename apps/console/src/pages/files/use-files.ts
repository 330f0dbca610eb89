import type { RawDataInformation } from '@sinebar/client';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { useFormats, useTexts } from '../../design/language/language';
import { characteristicOf, measurementOf } from '../../quality/files/file-targets';
import { TIME_KEY } from '../../quality/values/measurement-values';
import { nameOf, namesOf } from '../../server/queries/plan-path';
import { queryKeys } from '../../server/queries/keys';
import { useServer } from '../../server/server';
import type { FileOwners } from './search';
import { texts } from './texts';

export interface FileScope {
  /** Path of the part, without type marker; all parts without it. */
  partPath: string | undefined;
  partUuid: string | undefined;
  owners: FileOwners;
}

/** Uuids of one request: an address holds some thousand characters. */
const BATCH = 100;

/** Reads the files of a scope, newest first. */
export function useFiles({ partPath, partUuid, owners }: FileScope) {
  const server = useServer();
  return useQuery({
    queryKey: queryKeys.files('list', partPath, partUuid, owners),
    queryFn: async ({ signal }) => {
      const query = { ...(partPath !== undefined && { partPath }), signal };
      const own = () => server.rawData.list('Part', { uuids: [partUuid ?? ''], signal });
      const lists = await Promise.all([
        ...(owners === 'own' ? [own()] : []),
        ...(owners === 'below' || owners === 'all'
          ? [server.rawData.list('Part', query), server.rawData.list('Characteristic', query)]
          : []),
        ...(owners === 'measurements' || owners === 'all'
          ? [server.rawData.list('Measurement', query), server.rawData.list('Value', query)]
          : []),
      ]);
      return newestFirst(lists.flat());
    },
  });
}

/** Sorts files by the time of their last change, the newest first. */
function newestFirst(files: readonly RawDataInformation[]): RawDataInformation[] {
  return [...files].sort((one, other) => (one.lastModified < other.lastModified ? 1 : one.lastModified > other.lastModified ? -1 : 0));
}

/** Target of a file, in words and as an address. */
export interface FileItem {
  name: string;
  /** Uuid of the part, for a link. */
  partUuid?: string;
  measurementUuid?: string;
}

/** Names what files belong to: parts and characteristics by their paths, measurements by their times. */
export function useFileItems(files: readonly RawDataInformation[]): (file: RawDataInformation) => FileItem {
  const t = useTexts(texts);
  const formats = useFormats();
  const server = useServer();
  const wanted = useMemo(() => {
    const unique = (uuids: readonly (string | undefined)[]) => [...new Set(uuids.filter((uuid) => uuid !== undefined))].sort();
    return {
      parts: unique(files.map(({ target }) => (target.entity === 'Part' ? target.uuid : undefined))),
      characteristics: unique(files.map(characteristicOf)),
      measurements: unique(files.map(measurementOf)),
    };
  }, [files]);
  const { data } = useQuery({
    queryKey: queryKeys.files('places', wanted),
    queryFn: async ({ signal }) => {
      const paths = new Map<string, string>();
      const times = new Map<string, string>();
      const [parts, characteristics, measurements] = await Promise.all([
        batched(wanted.parts, (partUuids) => server.parts.list({ partUuids, requestedPartAttributes: 'None', signal })),
        batched(wanted.characteristics, (charUuids) =>
          server.characteristics.list({ charUuids, requestedCharacteristicAttributes: 'None', signal }),
        ),
        batched(wanted.measurements, (measurementUuids) =>
          server.measurements.search({ measurementUuids, requestedMeasurementAttributes: [TIME_KEY], aggregation: 'All', signal }),
        ),
      ]);
      for (const { uuid, path } of [...parts, ...characteristics]) paths.set(uuid, path);
      for (const { uuid, attributes } of measurements) times.set(uuid, attributes[TIME_KEY] ?? '');
      return { paths, times };
    },
    enabled: files.length > 0,
  });
  return useCallback(
    (file) => {
      const { target } = file;
      const characteristic = characteristicOf(file);
      const measurement = measurementOf(file);
      const path = data?.paths.get(characteristic ?? target.uuid);
      const names = path === undefined ? '' : namesOf(path).join(' / ') || '/';
      if (target.entity === 'Part') return { name: names, partUuid: target.uuid };
      if (target.entity === 'Characteristic') return { name: names };
      if (target.entity === 'Value') {
        return { name: t.valueOf(nameOf(path ?? '/')), ...(measurement !== undefined && { measurementUuid: measurement }) };
      }
      const time = data?.times.get(target.uuid);
      const said = time === undefined || Number.isNaN(Date.parse(time)) ? (time ?? '') : formats.dateTime(time);
      return { name: t.measurementOf(said), measurementUuid: target.uuid };
    },
    [data, formats, t],
  );
}

async function batched<T>(uuids: readonly string[], read: (some: readonly string[]) => Promise<T[]>): Promise<T[]> {
  const found: T[] = [];
  for (let from = 0; from < uuids.length; from += BATCH) found.push(...(await read(uuids.slice(from, from + BATCH))));
  return found;
}
