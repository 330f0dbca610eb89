import type { RawDataInformation, SinebarClient } from '@sinebar/client';
import { fileId } from '../files/file-targets';

/** A file, or an entry of an archive, that can be shown. */
export interface ContentSource {
  /** Identifies the bytes: a file that was replaced has another one. */
  id: string;
  fileName: string;
  /** Empty for an entry of an archive. */
  mimeType: string;
  /** `undefined` for an entry of an archive, whose size its answer tells. */
  sizeBytes: number | undefined;
  /** Asks for the bytes. @param first number of bytes that are needed; all without it */
  open: (options: { first?: number | undefined; signal: AbortSignal }) => Promise<Response>;
  /** Asks for the small picture that the server makes of a file. */
  thumbnail?: (options: { signal: AbortSignal }) => Promise<Response>;
}

/** The content of a file. */
export function fileSource(server: SinebarClient, file: RawDataInformation): ContentSource {
  return {
    id: `${fileId(file)}/${file.md5}`,
    fileName: file.fileName,
    mimeType: file.mimeType,
    sizeBytes: file.size,
    // An empty file has no range.
    open: ({ first, signal }) =>
      server.rawData.download(file.target, file.key, {
        ...(first !== undefined && file.size > 0 && { range: { first: 0, last: first - 1 } }),
        signal,
      }),
    thumbnail: (options) => server.rawData.thumbnail(file.target, file.key, options),
  };
}

/** The content of an entry of an archive, which the server reads without the rest of it. */
export function entrySource(server: SinebarClient, file: RawDataInformation, entry: string): ContentSource {
  return {
    id: `${fileId(file)}/${file.md5}/${entry}`,
    fileName: entry.split('/').at(-1) ?? entry,
    mimeType: '',
    sizeBytes: undefined,
    open: ({ signal }) => server.rawData.archiveContent(file.target, file.key, entry, { signal }),
  };
}
