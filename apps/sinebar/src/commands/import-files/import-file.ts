import { openAsBlob } from 'node:fs';
import { basename } from 'node:path';
import { SinebarError, type ImportAnswer, type ImportOptions, type SinebarClient } from '@sinebar/client';
import type { DateOrder } from '@sinebar/exchange';
import { sentenceOf } from '../../command-line/command.ts';
import { findFiles, formatOf, readDataFile } from './data-file.ts';

/** How files are imported. */
export interface ImportSettings {
  dryRun: boolean;
  skipBad: boolean;
  /** Whether the file is kept as raw data of its measurements. */
  keepsOriginal: boolean;
  partPath?: string;
  zone?: string;
  /** Encoding of text files; found when left out. */
  encoding?: string;
  /** Order of day, month and year in dates with slashes. */
  dateOrder?: DateOrder;
  ignoreUndefined?: boolean;
  fill?: boolean;
  onDifference?: 'keep' | 'update' | 'refuse';
  /** Contents of the columns of CSV and Excel files. */
  mapping?: NonNullable<ImportOptions['mapping']>;
}

const FORBIDDEN = 403;

/**
 * Imports a file and keeps it as raw data. May be repeated after it broke off anywhere.
 * @returns what was done, as lines
 * @throws SinebarError; CommandError the file cannot be read; the signal's reason
 */
export async function importFile(
  client: SinebarClient,
  file: string,
  { keepsOriginal, mapping, ...settings }: ImportSettings,
  signal: AbortSignal,
): Promise<string> {
  const format = formatOf(file);
  const isTable = format === 'csv' || format === 'xlsx';
  const content = await readDataFile(file, settings.encoding);
  const answer = await client.exchange.importFile(content, { ...settings, format, ...(mapping && isTable && { mapping }), signal });
  const notKept = keepsOriginal && !settings.dryRun ? await keepOriginal(client, file, answer, signal) : '';
  return `${file}: ${whatWasDone(answer, settings.dryRun)}.${warningLines(answer)}${notKept}`;
}

/**
 * Attaches the files to the first measurement of each part, always with the same keys, so that a repetition replaces them.
 * @returns a line when the caller may not do it
 */
async function keepOriginal(
  client: SinebarClient,
  file: string,
  { firstMeasurements }: ImportAnswer,
  signal: AbortSignal,
): Promise<string> {
  const files = await findFiles(file);
  try {
    for (const uuid of firstMeasurements) {
      for (const [i, one] of files.entries()) {
        const stored = { fileName: basename(one), content: await openAsBlob(one) };
        await client.rawData.upload({ entity: 'Measurement', uuid }, stored, { key: i + 1, signal });
      }
    }
    return '';
  } catch (error) {
    // A measurement that was deleted since, or a missing right, does not undo the import.
    if (!(error instanceof SinebarError) || (error.status !== FORBIDDEN && error.status !== 404)) throw error;
    return `\n  The file is not kept as raw data: ${sentenceOf(error)}`;
  }
}

function whatWasDone({ attributes, parts, characteristics, filled, measurements, values }: ImportAnswer, dryRun: boolean): string {
  const would = (done: string, wouldDo: string) => (dryRun ? wouldDo : done);
  const further = [
    attributes.created.length > 0 ? `${would('defined', 'would define')} ${attributes.created.length} attributes` : [],
    filled.length > 0 ? `${would('filled', 'would fill')} ${filled.length} parts and characteristics` : [],
  ].flat();
  const created = `${parts.created} parts, ${characteristics.created} characteristics, ${measurements.created} measurements`;
  const isKnown = measurements.created === 0 && measurements.found > 0;
  const first = isKnown
    ? `was imported before (${measurements.found} measurements)`
    : `${would('created', 'would create')} ${created} with ${values} values`;
  return [first, ...further].join(', ');
}

function warningLines({ warnings }: ImportAnswer): string {
  return warnings
    .map(({ line, key, message }) => `\n  ${[line === undefined ? '' : `line ${line}`, key ?? ''].join(' ').trim()}: ${message}`)
    .join('');
}
