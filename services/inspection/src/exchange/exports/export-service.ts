import type { Writable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import {
  EVENTS_KEY,
  MAX_XLSX_ROWS,
  writeAqdef,
  writeXlsx,
  type FileCharacteristic,
  type FileMeasurement,
  type FilePart,
  type OutputTable,
} from '@sinebar/exchange';
import type { Database, OpenedSession, Session } from '@sinebar/database';
import { PacedWriter, reply, type Reply } from '@sinebar/http';
import { CONFIGURATION_STATE, type ConfigurationReader } from '../../configuration/configuration.ts';
import type { EvaluationReader } from '../../evaluation/evaluation-reader.ts';
import { selectionStatement, type MeasurementSelection } from '../../measurements/selection/measurement-selection.ts';
import { findSelectedParts } from '../../measurements/selection/selected-parts.ts';
import { MeasuredParts } from '../../measurements/sets/measured-parts.ts';
import type { Reader } from '../../shared/request-context.ts';
import { readEntryTexts, type EntryTexts } from './entry-texts.ts';
import { csvTexts, tableTexts } from './csv-texts.ts';
import { readNotedCauses, readValueEvents } from './exported-events.ts';
import { readExportedLimits } from './exported-limits.ts';
import { readExportedPlan, type ExportedPlan } from './exported-plan.ts';
import { EXPORT_COLUMNS, readMeasurements, type ExportedMeasurement } from './measurement-export.ts';
import { refuseTooManyRows } from './sheet-limit.ts';
import type { TableForm } from './table-form.ts';
import { longTable, wideTable, type TableLayout } from './value-tables.ts';

export type ExportFormat = 'csv' | 'parquet' | 'aqdef' | 'xlsx';

/** A selection, with the characteristics whose values are wanted. */
export interface ExportSelection extends MeasurementSelection {
  characteristicUuids?: readonly string[] | undefined;
}

/** Form of the file. */
export interface ExportForm {
  format: ExportFormat;
  layout: TableLayout;
  /** Zone of the times in AQDEF. */
  zone: string;
  table: TableForm;
}

export interface ExportDependencies {
  database: Database;
  configurations: ConfigurationReader;
  evaluations: EvaluationReader;
}

const CONTENT_TYPE: Readonly<Record<ExportFormat, string>> = {
  csv: 'text/csv; charset=utf-8',
  parquet: 'application/vnd.apache.parquet',
  aqdef: 'text/plain; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};
const FILE_NAME: Readonly<Record<ExportFormat, string>> = {
  csv: 'values.csv',
  parquet: 'values.parquet',
  aqdef: 'values.dfq',
  xlsx: 'values.xlsx',
};
/** Characters of a chunk of the answer. */
const CHUNK_LENGTH = 64 * 1024;

/** Writes measured values as files, while they are read. spec: exchange interface, version 1.0.0 */
export class ExportService {
  private readonly deps: ExportDependencies;

  constructor(deps: ExportDependencies) {
    this.deps = deps;
  }

  /** @param zone of the times in AQDEF */
  export({ format, layout, zone, table: form }: ExportForm, selection: ExportSelection, reader: Reader): Reply {
    const headers = {
      'Content-Type': CONTENT_TYPE[format],
      'Content-Disposition': `attachment; filename="${FILE_NAME[format]}"`,
      'Cache-Control': 'private, no-cache',
    };
    return reply.stream(headers, (sink, signal) =>
      this.deps.database.stream({ ...reader, signal, opening: [CONFIGURATION_STATE] }, async (session) => {
        const { configuration, read } = await this.measurements(session, selection, reader);
        const entries = await readEntryTexts(session, configuration);
        if (format === 'aqdef') {
          const { evaluations } = this.deps;
          await sendTexts(sink, signal, aqdefTexts(session, selection, reader, { batches: read(), entries, zone, evaluations }));
        } else if (format === 'csv' && layout === 'long')
          await sendTexts(sink, signal, csvTexts(session, configuration, entries, form, read()));
        else {
          if (format === 'xlsx') await refuseTooManyRows(read(), layout, form.header === 'both' ? MAX_XLSX_ROWS - 1 : MAX_XLSX_ROWS);
          const table =
            layout === 'long'
              ? longTable(session, configuration, entries, form, read())
              : wideTable(session, configuration, entries, form, await exportedPlan(session, selection, reader), read());
          if (format === 'csv') await sendTexts(sink, signal, tableTexts(table, form));
          else await sendBytes(sink, signal, format === 'xlsx' ? writeXlsx(table) : parquetBytes(table));
        }
      }),
    );
  }

  private async measurements(session: OpenedSession, selection: ExportSelection, { principal }: Reader) {
    const { configuration } = await this.deps.configurations.readOpened(session, session.opening[0]);
    const readable = principal.scopeOf('measurement:read');
    const partIds = await findSelectedParts(session, selection, readable, new MeasuredParts());
    const statement = selectionStatement(selection, readable, configuration, EXPORT_COLUMNS, { partIds, areColumnsLarge: true });
    return { configuration, read: () => readMeasurements(session, statement, selection.characteristicUuids) };
  }
}

/** Loads the writer of Parquet, which has fifty modules, with the first such file. */
async function* parquetBytes(table: OutputTable): AsyncGenerator<Uint8Array> {
  const { writeParquet } = await import('@sinebar/exchange/parquet-writer');
  yield* writeParquet(table);
}

function exportedPlan(
  session: Session,
  selection: ExportSelection,
  { principal }: Reader,
  evaluations?: EvaluationReader,
): Promise<ExportedPlan> {
  const wanted = selection.characteristicUuids && new Set(selection.characteristicUuids);
  const readLimits = evaluations && ((partIds: readonly number[]) => readExportedLimits(session, evaluations, partIds));
  return readExportedPlan(session, selection, principal.scopeOf('measurement:read'), wanted, readLimits);
}

interface AqdefSources {
  batches: AsyncIterable<readonly ExportedMeasurement[]>;
  entries: EntryTexts;
  zone: string;
  evaluations: EvaluationReader;
}

async function* aqdefTexts(
  session: Session,
  selection: ExportSelection,
  reader: Reader,
  { batches, entries, zone, evaluations }: AqdefSources,
): AsyncGenerator<string> {
  const plan = await exportedPlan(session, selection, reader, evaluations);
  const parts = withTexts(plan.parts, entries);
  const causes = await readNotedCauses(session, [...plan.indexOfPart.keys()]);
  const converted = async function* (): AsyncGenerator<FileMeasurement[]> {
    for await (const batch of batches) {
      const uuids = causes.length === 0 ? [] : batch.map(({ uuid }) => uuid);
      const noted = uuids.length === 0 ? undefined : await readValueEvents(session, uuids);
      yield batch.flatMap(({ uuid, partId, attributes, values }): FileMeasurement[] => {
        const part = plan.indexOfPart.get(partId);
        if (part === undefined) return [];
        const events = noted?.get(uuid);
        const own = values.flatMap(({ characteristic, attributes: fields }, i) => {
          const event = events?.get(characteristic);
          if (!fields && event === undefined) return [];
          return [[i, { ...entries.withTexts(withoutValue(fields ?? {})), ...(event !== undefined && { [EVENTS_KEY]: event }) }] as const];
        });
        return [
          {
            part,
            line: 0,
            attributes: entries.withTexts(attributes),
            characteristics: values.map(({ characteristic }) => plan.indexOfCharacteristic.get(characteristic) as number),
            values: values.map(({ value }) => value),
            valueAttributes: own.length > 0 ? new Map(own) : undefined,
          },
        ];
      });
    }
  };
  yield* writeAqdef({ parts, catalogEntries: [...entries.described, ...causes] }, converted(), zone);
}

function withTexts<T extends FilePart | FileCharacteristic>(items: readonly T[], entries: EntryTexts): T[] {
  return items.map((item) => ({
    ...item,
    attributes: entries.withTexts(item.attributes),
    ...('children' in item
      ? { children: withTexts(item.children, entries) }
      : { characteristics: withTexts(item.characteristics, entries) }),
  }));
}

function withoutValue(fields: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).filter(([key]) => key !== '1'));
}

async function sendTexts(sink: Writable, signal: AbortSignal, texts: AsyncIterable<string>): Promise<void> {
  const writer = new PacedWriter<string>(sink, signal);
  let chunk = '';
  for await (const text of texts) {
    chunk += text;
    if (chunk.length < CHUNK_LENGTH) continue;
    await writer.write(chunk);
    chunk = '';
    await setImmediate();
  }
  if (chunk.length > 0) await writer.write(chunk);
}

async function sendBytes(sink: Writable, signal: AbortSignal, chunks: AsyncIterable<Uint8Array>): Promise<void> {
  const writer = new PacedWriter<Uint8Array>(sink, signal);
  for await (const chunk of chunks) {
    await writer.write(chunk);
    await setImmediate();
  }
}
