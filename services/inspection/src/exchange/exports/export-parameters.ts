import { quoted, uuidListParameter } from '@sinebar/http';
import { parseSearchCondition, type Condition } from '@sinebar/query-language';
import { isTimeZone } from '@sinebar/exchange';
import { ServiceError } from '@sinebar/contracts';
import { z } from 'zod';
import { measurementSelection, measurementSelectionQuery, wordParameter } from '../../measurements/selection/measurement-parameters.ts';
import { timestampParameter } from '../../shared/parameters.ts';
import type { ExportFormat } from './export-service.ts';
import type { TableForm } from './table-form.ts';
import type { TableLayout } from './value-tables.ts';
import type { MeasurementSelection } from '../../measurements/selection/measurement-selection.ts';

export const zoneParameter = z.string().transform((text, context) => {
  if (isTimeZone(text)) return text;
  context.addIssue({ code: 'custom', message: `must be a time zone such as Europe/Berlin, not ${quoted(text)}` });
  return z.NEVER;
});

/** Parameters of the export; all conditions have to be met. */
export const exportQuery = {
  ...measurementSelectionQuery,
  format: wordParameter<ExportFormat>({ csv: 'csv', parquet: 'parquet', aqdef: 'aqdef', xlsx: 'xlsx' }),
  layout: wordParameter<TableLayout>({ long: 'long', wide: 'wide' }).optional(),
  header: wordParameter<TableForm['header']>({ keys: 'keys', names: 'names', both: 'both' }).optional(),
  language: wordParameter<TableForm['language']>({ en: 'en', de: 'de' }).optional(),
  separator: wordParameter<TableForm['separator']>({ comma: ',', semicolon: ';', tab: '\t' }).optional(),
  decimal: wordParameter<TableForm['decimal']>({ point: '.', comma: ',' }).optional(),
  zone: zoneParameter.optional(),
  characteristicUuids: uuidListParameter.optional(),
  from: timestampParameter.optional(),
  to: timestampParameter.optional(),
  modifiedAfter: timestampParameter.optional(),
};
export type ExportQuery = z.output<z.ZodObject<typeof exportQuery>>;

/** @throws ServiceError 400 for parameters that do not go together */
export function exportSelection(query: ExportQuery, caseSensitive: boolean): MeasurementSelection {
  if (query.format === 'aqdef' && query.layout !== undefined) {
    throw new ServiceError(
      'InvalidRequest',
      'Parameter layout: AQDEF has a layout of its own. Leave layout out, or use format=csv, xlsx or parquet.',
    );
  }
  if (query.format !== 'aqdef' && query.zone !== undefined) {
    throw new ServiceError('InvalidRequest', `Parameter zone: Times in ${query.format} are in UTC. Leave zone out, or use format=aqdef.`);
  }
  for (const name of ['header', 'language'] as const)
    if (query.format === 'aqdef' && query[name] !== undefined)
      throw new ServiceError(
        'InvalidRequest',
        `Parameter ${name}: AQDEF has a header of its own. Leave ${name} out, or use another format.`,
      );
  if (query.format === 'parquet' && query.header === 'both')
    throw new ServiceError('InvalidRequest', 'Parameter header: Parquet has one name for each column. Use header=names or keys.');
  for (const name of ['separator', 'decimal'] as const)
    if (query.format !== 'csv' && query[name] !== undefined)
      throw new ServiceError('InvalidRequest', `Parameter ${name}: Only CSV has it. Leave ${name} out, or use format=csv.`);
  if (query.decimal === ',' && (query.separator ?? ',') === ',')
    throw new ServiceError(
      'InvalidRequest',
      'Parameter decimal: Fields are separated by commas. Use separator=semicolon with decimal=comma.',
    );
  const selection = measurementSelection(query, caseSensitive);
  const conditions = [
    ...(selection.search?.conditions ?? []),
    ...condition('4>=', query.from),
    ...condition('4<', query.to),
    ...condition('LastModified>', query.modifiedAfter),
  ];
  return conditions.length === 0 ? selection : { ...selection, search: { conditions } };
}

function condition(comparison: string, time: string | undefined): Condition[] {
  return time === undefined ? [] : parseSearchCondition(`${comparison}[${time}]`).conditions;
}

/** The form of the tables that a request asks for: that for programs when it says nothing. */
export function tableForm({ header = 'keys', language = 'en', separator = ',', decimal = '.' }: ExportQuery): TableForm {
  return { header, language, separator, decimal };
}
