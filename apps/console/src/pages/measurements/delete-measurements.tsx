import { useQuery } from '@tanstack/react-query';
import { ConfirmDialog } from '../../design/controls/confirm-dialog';
import { useFormats, useTexts } from '../../design/language/language';
import { readMeasurementFiles } from '../../quality/files/measurement-files';
import { queryKeys } from '../../server/queries/keys';
import { useServer } from '../../server/server';
import { texts } from './texts';
import { countsOf } from '../../quality/values/value-statuses';

export interface DeleteMeasurementsProps {
  uuids: readonly string[];
  onClose: () => void;
  onDeleted: () => void;
}

/** Measurements of one request: an address holds some thousand characters. */
const BATCH = 100;

/** Asks before measurements are deleted, and names the values and files that go with them. */
export function DeleteMeasurements({ uuids, onClose, onDeleted }: DeleteMeasurementsProps) {
  const t = useTexts(texts);
  const formats = useFormats();
  const server = useServer();
  const goes = useQuery({
    queryKey: queryKeys.measurements('goes', uuids),
    queryFn: async ({ signal }) => {
      let values = 0;
      for (let from = 0; from < uuids.length; from += BATCH) {
        const found = await server.measurements.search({
          measurementUuids: uuids.slice(from, from + BATCH),
          requestedMeasurementAttributes: 'None',
          aggregation: 'All',
          statistics: 'Simple',
          signal,
        });
        values += found.reduce((sum, measurement) => sum + countsOf(measurement).values, 0);
      }
      const files = await readMeasurementFiles(server, uuids, signal);
      return { values, files: files.length, size: files.reduce((sum, { size }) => sum + size, 0) };
    },
  });
  const counted = goes.data;
  return (
    <ConfirmDialog
      title={t.deleteTitle(formats.count(uuids.length))}
      goes={[
        <Goes key="measurements" count={uuids.length} what={t.goesMeasurements(String(uuids.length))} />,
        ...(counted === undefined ? [goes.error instanceof Error ? goes.error.message : t.counting] : []),
        ...(counted ? [<Goes key="values" count={counted.values} what={t.goesValues(String(counted.values))} />] : []),
        ...(counted && counted.files > 0
          ? [<Goes key="files" count={counted.files} what={t.goesFiles(formats.size(counted.size))} />]
          : []),
      ]}
      action={t.deleteAction}
      word={uuids.length > 1 ? t.deleteWord : undefined}
      isCounting={counted === undefined}
      onConfirm={async () => {
        for (let from = 0; from < uuids.length; from += BATCH) {
          await server.measurements.delete({ measurementUuids: uuids.slice(from, from + BATCH), aggregation: 'All' });
        }
        onDeleted();
      }}
      onClose={onClose}
    />
  );
}

function Goes({ count, what }: { count: number; what: string }) {
  const formats = useFormats();
  return (
    <>
      <strong>{formats.count(count)}</strong> {what}
    </>
  );
}
