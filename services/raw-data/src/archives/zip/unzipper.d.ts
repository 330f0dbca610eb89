/** What is used of `unzipper`; the published types do not know `tailSize`. */
declare module 'unzipper' {
  import type { PassThrough, Readable } from 'node:stream';

  /** What an archive is read from. `stream` is called for the end, for the directory, and for each entry that is streamed. */
  export interface ArchiveSource {
    size: () => Promise<number>;
    stream: (offset: number, length?: number) => Readable;
  }

  const unzipper: {
    Open: {
      custom(source: ArchiveSource, options: { tailSize: number }): Promise<{ files: { stream: () => PassThrough }[] }>;
    };
  };
  export default unzipper;
}
