import type { FileContent, FileMeasurement, FileReader } from './content.ts';
import { UnreadableFileError, type Problems } from './problems.ts';

/** Reads a file block by block. */
export interface BlockReader<B> {
  read(block: B): void;
  /** Called after the last block. */
  end(): void;
  /** Removes the measurements that are complete, and returns them. */
  take(): FileMeasurement[];
  content(): FileContent;
}

/** Yields the measurements of all blocks. A file that cannot be read on ends with the error among its problems. */
export async function* readBlocks<B>(blocks: AsyncIterable<B>, reader: BlockReader<B>, problems: Problems): FileReader {
  try {
    for await (const block of blocks) {
      reader.read(block);
      const measurements = reader.take();
      if (measurements.length > 0) yield measurements;
    }
    reader.end();
    const measurements = reader.take();
    if (measurements.length > 0) yield measurements;
  } catch (error) {
    if (!(error instanceof UnreadableFileError)) throw error;
    const { line, key, message } = error.problem;
    problems.error(line, key, message);
  }
  return reader.content();
}
