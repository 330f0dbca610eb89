import { ServiceError } from '@sinebar/contracts';
import { MAX_XLSX_ROWS } from '@sinebar/exchange';
import type { TableLayout } from './value-tables.ts';
import type { ExportedMeasurement } from './measurement-export.ts';

/**
 * Counts the rows of a table before its first byte is sent.
 * @throws ServiceError 400 the rows and the header do not fit into a sheet
 */
export async function refuseTooManyRows(
  batches: AsyncIterable<readonly Pick<ExportedMeasurement, 'values'>[]>,
  layout: TableLayout,
  maxRows = MAX_XLSX_ROWS,
): Promise<void> {
  let rows = 1;
  for await (const batch of batches) {
    rows += layout === 'wide' ? batch.length : batch.reduce((sum, { values }) => sum + values.length, 0);
    if (rows <= maxRows) continue;
    throw new ServiceError(
      'InvalidRequest',
      `The selection has more than ${maxRows.toLocaleString('en')} rows, the most that an Excel sheet holds. ` +
        'Select fewer measurements with from and to, use layout=wide, or use format=csv or parquet.',
    );
  }
}
