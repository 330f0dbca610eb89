import type { FileContent, FileMeasurement, FileReader, TableForms } from './content.ts';

export interface ReadFile extends FileContent {
  all: FileMeasurement[];
}

/** Reads a file to its end. */
export async function readAll(reader: FileReader): Promise<ReadFile> {
  const all: FileMeasurement[] = [];
  for (;;) {
    const next = await reader.next();
    if (next.done === true) return { ...next.value, all };
    all.push(...next.value);
  }
}

/** The bytes of a text in chunks of the given size. */
export function* bytesOf(text: string, chunkBytes = 64 * 1024): Generator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let start = 0; start < bytes.length; start += chunkBytes) yield bytes.subarray(start, start + chunkBytes);
}

/** Reads a table as an import does: again, when the whole table shows what cells before meant. */
export async function readTwice(read: (forms: TableForms | undefined) => FileReader): Promise<ReadFile> {
  const first = await readAll(read(undefined));
  return first.readAgainWith ? readAll(read(first.readAgainWith)) : first;
}
