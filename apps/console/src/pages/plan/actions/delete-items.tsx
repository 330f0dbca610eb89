import type { SinebarClient } from '@sinebar/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ConfirmDialog } from '../../../design/controls/confirm-dialog';
import { useFormats, useTexts } from '../../../design/language/language';
import { characteristicOf } from '../../../quality/files/file-targets';
import { countsOf } from '../../../quality/values/value-statuses';
import { queryKeys } from '../../../server/queries/keys';
import { nameOf, ownerPathOf, parentPathOf, plainPathOf } from '../../../server/queries/plan-path';
import { useServer } from '../../../server/server';
import type { PlanItem } from '../plan-item';
import type { PlanKind } from '../search';
import { texts } from '../texts';
import { renewPlan } from '../../../quality/editing/renew-plan';

/** Most measurements that are counted; more are shown as "and more". */
const MAX_COUNTED = 100_000;
/** Most characteristics whose values are counted. */
const MAX_SUMMED = 50;

export interface DeleteItemsProps {
  kind: PlanKind;
  items: readonly PlanItem[];
  onClose: () => void;
  onDeleted: () => void;
}

/** Counts of what is deleted with items; a count that is missing is not known. */
interface DeletedCounts {
  parts: number;
  characteristics: number;
  measurements: number;
  values?: number;
  files: number;
  size: number;
}

/** Asks once before parts or characteristics are deleted, and names what goes with them. */
export function DeleteItems({ kind, items, onClose, onDeleted }: DeleteItemsProps) {
  const t = useTexts(texts);
  const formats = useFormats();
  const server = useServer();
  const queries = useQueryClient();
  const uuids = items.map(({ uuid }) => uuid);
  const goes = useQuery({
    queryKey: queryKeys.plan('goes', kind, uuids),
    queryFn: async ({ signal }) => {
      const all = await Promise.all(
        items.map((item) => (kind === 'part' ? partGoes(server, item, signal) : characteristicGoes(server, item, signal))),
      );
      return all.reduce(sumOf);
    },
    gcTime: 0,
  });
  const [first] = items;
  if (first === undefined) return null;
  const counted = goes.data;
  const line = (count: number | undefined, what: (count: number) => string) =>
    count === undefined || count === 0
      ? []
      : [
          <span key={what(1)}>
            <strong>{formats.count(count)}</strong> {what(count)}
          </span>,
        ];
  return (
    <ConfirmDialog
      title={items.length === 1 ? t.deleteTitle(nameOf(first.path)) : t.deleteManyTitle(formats.count(items.length))}
      goes={[
        ...(counted === undefined ? [goes.error?.message ?? t.counting] : []),
        ...line(counted?.parts, t.goesParts),
        ...line(counted?.characteristics, t.goesCharacteristics),
        ...line(counted?.measurements, t.goesMeasurements),
        ...line(counted?.values, t.goesValues),
        ...(counted !== undefined && counted.values === undefined ? [t.goesAllValues] : []),
        ...line(counted?.files, (count) => t.goesFiles(count, formats.size(counted?.size ?? 0))),
      ]}
      action={t.deleteAction}
      word={items.length > 1 || (counted?.measurements ?? 0) > 0 || (counted?.values ?? 1) > 0 ? t.deleteWord : undefined}
      isCounting={goes.isPending}
      onConfirm={async () => {
        if (kind === 'part') await server.parts.delete({ partUuids: uuids });
        else await server.characteristics.delete({ charUuids: uuids });
        onDeleted();
        await renewPlan(queries);
      }}
      onClose={onClose}
    />
  );
}

async function partGoes(server: SinebarClient, { path }: PlanItem, signal: AbortSignal): Promise<DeletedCounts> {
  const partPath = plainPathOf(path);
  const [parts, characteristics, measurements, ...files] = await Promise.all([
    server.parts.count({ partPath, depth: 65_535, signal }),
    server.characteristics.count({ partPath, signal }),
    server.measurements.search({
      partPath,
      deep: true,
      aggregation: 'All',
      requestedMeasurementAttributes: 'None',
      statistics: 'Simple',
      limitResult: MAX_COUNTED,
      signal,
    }),
    ...(['Part', 'Characteristic', 'Measurement', 'Value'] as const).map((entity) => server.rawData.list(entity, { partPath, signal })),
  ]);
  return {
    parts,
    characteristics,
    measurements: measurements.length,
    values: measurements.reduce((sum, measurement) => sum + countsOf(measurement).values, 0),
    ...filesOf(files.flat()),
  };
}

async function characteristicGoes(server: SinebarClient, item: PlanItem, signal: AbortSignal): Promise<DeletedCounts> {
  const partPath = plainPathOf(ownerPathOf(item.path));
  const known = await server.characteristics.list({ partPath, requestedCharacteristicAttributes: 'None', signal });
  const paths = new Map(known.map(({ path }) => [path, path]));
  const isBelow = (path: string): boolean => path === item.path || (paths.has(path) && isBelow(parentPathOf(path)));
  const below = known.filter(({ path }) => isBelow(path)).map(({ uuid }) => uuid);
  const uuids = new Set([item.uuid, ...below]);
  const [own, ofValues, summaries] = await Promise.all([
    server.rawData.list('Characteristic', { partPath, signal }),
    server.rawData.list('Value', { partPath, signal }),
    uuids.size > MAX_SUMMED ? undefined : Promise.all([...uuids].map((uuid) => server.analysis.summary(uuid, { signal }))),
  ]);
  const values = summaries?.reduce((sum, { count, missing }) => sum + count + missing, 0);
  return {
    parts: 0,
    characteristics: uuids.size,
    measurements: 0,
    ...(values !== undefined && { values }),
    ...filesOf([...own, ...ofValues].filter((file) => uuids.has(characteristicOf(file) ?? ''))),
  };
}

function filesOf(files: readonly { size: number }[]): Pick<DeletedCounts, 'files' | 'size'> {
  return { files: files.length, size: files.reduce((sum, { size }) => sum + size, 0) };
}

function sumOf(a: DeletedCounts, b: DeletedCounts): DeletedCounts {
  const values = a.values === undefined || b.values === undefined ? undefined : a.values + b.values;
  return {
    parts: a.parts + b.parts,
    characteristics: a.characteristics + b.characteristics,
    measurements: a.measurements + b.measurements,
    ...(values !== undefined && { values }),
    files: a.files + b.files,
    size: a.size + b.size,
  };
}
