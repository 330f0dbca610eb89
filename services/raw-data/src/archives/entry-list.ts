import type { Writable } from 'node:stream';
import type { RawDataInformation } from '@sinebar/contracts';
import { PacedWriter } from '@sinebar/http';
import type { ArchiveEntry } from './archive-directory.ts';

export interface EntryList {
  archiveInfo: RawDataInformation;
  entries: readonly ArchiveEntry[];
}

const CHUNK_LENGTH = 64 * 1024;

/**
 * Writes archive entry results as a JSON array, streamed because a list may be very long. spec: raw-data-service.md, Archive entry result
 */
export async function writeEntryLists(
  sink: Writable,
  signal: AbortSignal,
  lists: AsyncIterable<EntryList> | Iterable<EntryList>,
): Promise<void> {
  const writer = new PacedWriter(sink, signal);
  let chunk = '[';
  const add = async (text: string) => {
    chunk += text;
    if (chunk.length < CHUNK_LENGTH) return;
    await writer.write(chunk);
    chunk = '';
  };
  let separator = '';
  for await (const { archiveInfo, entries } of lists) {
    await add(`${separator}{"archiveInfo":${JSON.stringify(archiveInfo)},"entries":[`);
    separator = ',';
    for (const [i, { name }] of entries.entries()) await add((i > 0 ? ',' : '') + JSON.stringify(name));
    await add(']}');
  }
  await writer.write(`${chunk}]`);
}
