import type { Session } from '@sinebar/database';
import { csvField, hasInnerFormula, writeCsvRow, type OutputTable } from '@sinebar/exchange';
import type { Configuration } from '../../configuration/configuration.ts';
import type { EntryTexts } from './entry-texts.ts';
import type { ExportedMeasurement } from './measurement-export.ts';
import { PathReader } from './path-reader.ts';
import { ColumnNames, type TableForm } from './table-form.ts';
import { longTable } from './value-tables.ts';

const TIME = '4';

/** One line for each value: measurement, time, part, characteristic, value and the attributes of the measurement. */
export async function* csvTexts(
  session: Session,
  configuration: Configuration,
  entries: EntryTexts,
  form: TableForm,
  batches: AsyncIterable<readonly ExportedMeasurement[]>,
): AsyncGenerator<string> {
  const { separator, decimal } = form;
  const table = longTable(session, configuration, entries, form, batches);
  const attributes = new ColumnNames(configuration, form).ofAttributes();
  const paths = new PathReader(session, separator);
  yield headerOf(table, form);
  for await (const batch of batches) {
    await paths.load(batch);
    let text = '';
    for (const { uuid, partId, attributes: own, values } of batch) {
      const others = [own[TIME] ?? '', paths.partPath(partId)];
      const end = attributes.map(({ key, type }) => {
        const written = entries.textOf(key, own[key]) ?? '';
        return type === 'number' ? numberText(written, decimal) : written;
      });
      const after = `${end.map((one) => separator + csvField(one, false, separator)).join('')}\r\n`;
      const middle = `${separator}${others.map((one) => csvField(one, false, separator)).join(separator)}${separator}`;
      const [plain, marked] = [csvField(uuid) + middle, csvField(uuid, true) + middle];
      const isMarked = [...others, ...end].some(hasInnerFormula);
      // Local texts: this loop is hot.
      for (const { characteristic, value } of values) {
        const name = paths.csvName(characteristic);
        text += `${isMarked || name.isMarked ? marked : plain}${name.text}${separator}${numberText(value, decimal)}${after}`;
      }
    }
    if (text.length > 0) yield text;
  }
}

/** The lines of a table. */
export async function* tableTexts(table: OutputTable, form: TableForm): AsyncGenerator<string> {
  const { columns, rows } = table;
  const { separator, decimal } = form;
  yield headerOf(table, form);
  for await (const batch of rows) {
    let text = '';
    for (const row of batch) {
      const cells = columns.map(({ type }, i) => (type === 'number' ? numberText(row[i] ?? '', decimal) : (row[i] ?? '')));
      text += writeCsvRow(cells, separator);
    }
    yield text;
  }
}

function headerOf({ columns, keyRow }: OutputTable, { separator }: TableForm): string {
  const names = writeCsvRow(
    columns.map(({ name }) => name),
    separator,
  );
  return keyRow ? names + writeCsvRow(keyRow, separator) : names;
}

function numberText(text: string, decimal: TableForm['decimal']): string {
  return decimal === '.' ? text : text.replace('.', decimal);
}
