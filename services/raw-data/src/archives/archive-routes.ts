import { archiveEntriesSchema, ServiceError } from '@sinebar/contracts';
import { answers, defineRoute, PacedWriter, reply, type Reply, type RequestContext, type Route } from '@sinebar/http';
import { z } from 'zod';
import { contentHeaders, md5Parameter, validatorsOf } from '../objects/download-routes.ts';
import type { Md5Format } from '../objects/md5.ts';
import { etagOf, isNotModified } from '../objects/preconditions.ts';
import { toInformation, type RawDataObject } from '../objects/raw-data-object.ts';
import { bytesSchema, CACHE_CONDITIONS, fileHeaders, INFORMATION_EXAMPLE, targetParameters } from '../targets/file-parameter-texts.ts';
import { readKey, readTarget } from '../targets/target.ts';
import type { ArchiveAddress, ArchiveService, FoundEntry } from './archive-service.ts';
import { BsonAnswer } from './bson-answer.ts';
import { writeEntryLists, type EntryList } from './entry-list.ts';
import { prefetched } from './zip/prefetch.ts';
import { contentSelectors, entrySelectors } from './selectors.ts';

export interface ArchiveRoutesDependencies {
  archives: ArchiveService;
  md5Format: Md5Format;
}

const tag = 'Archives';
const OBJECT = '/rawDataServiceRest/rawData/:entity/:uuid/:key';
const params = z.object({ entity: z.string(), uuid: z.string(), key: z.string() });
/** Answers up to this size are checked before they begin; the connection of a larger one is broken when its entry is damaged. */
const CHECKED_BYTES = 256 * 1024;
const ARCHIVE_EXAMPLE = { ...INFORMATION_EXAMPLE, fileName: 'scan.zip', mimeType: 'application/zip', size: 48_213 };
const listsAnswer = answers.json('The entries of each archive', z.array(archiveEntriesSchema), [
  { archiveInfo: ARCHIVE_EXAMPLE, entries: ['readme.txt', 'images/', 'images/front.png'] },
]);
const errors = ['NotFound', 'UnsupportedArchive'] as const;
const LEFT_OUT = 'Targets, files and entries that are not there, or that the caller may not read, are left out. What is no archive is 400.';
const SELECTOR_EXAMPLE = { target: INFORMATION_EXAMPLE.target, key: 0 };
const CACHING = 'private, no-cache';

/** spec: raw-data-service.md, Archive lookup; decisions.md 1.4, 6.4, 6.8 */
export function archiveRoutes(deps: ArchiveRoutesDependencies): Route[] {
  const { archives } = deps;
  const read = { permission: 'rawData:read', deadline: 'read' } as const;
  return [
    defineRoute({
      ...read,
      method: 'GET',
      path: `${OBJECT}/ArchiveEntries`,
      documentation: {
        tag,
        summary: 'What is in an archive',
        parameters: targetParameters,
        responses: { 200: listsAnswer },
        errors,
      },
      params,
      handle: async ({ params: address, context }) => {
        const { archive, directory } = await archives.open(addressOf(address), context);
        return entryLists([{ archiveInfo: toInformation(archive, deps.md5Format), entries: directory.entries }]);
      },
    }),
    defineRoute({
      ...read,
      method: 'GET',
      path: `${OBJECT}/ArchiveContent/*filename`,
      documentation: {
        tag,
        summary: 'Download one entry of an archive',
        description: 'Only the bytes of that entry are read from the store. A folder, named with `/` at its end, has no bytes.',
        parameters: {
          ...targetParameters,
          filename: { description: 'Name of the entry; slashes may be encoded', example: 'readme.txt' },
          expectedArchiveMd5: {
            description: 'MD5 of the archive that the client expects: when it is right, the answer may be kept for ever',
            example: ARCHIVE_EXAMPLE.md5,
          },
        },
        headers: CACHE_CONDITIONS,
        responses: {
          200: {
            description: 'The decompressed bytes of the entry',
            headers: fileHeaders,
            content: { schema: bytesSchema, example: 'Scan of the front side\n', contentType: 'application/octet-stream' },
          },
          304: answers.unchanged,
        },
        errors: [...errors, 'PreconditionFailed'],
      },
      contentCoding: 'identity',
      params: params.extend({ filename: z.unknown() }),
      query: z.object({ expectedArchiveMd5: md5Parameter.optional() }),
      handle: async ({ params: address, path, query, headers, context, stream }) => {
        const found = await archives.findEntry(addressOf(address), fileNameOf(path), context);
        const etag = etagOfEntry(found);
        const validators = validatorsOf(found.archive, query.expectedArchiveMd5 ?? [], etag);
        if (isNotModified(headers, { etag, lastModified: found.archive.lastModified })) return reply.empty(304, validators);
        const answerHeaders = { ...validators, ...entryHeaders(found) };
        // HEAD opens no entry.
        if (stream.method === 'HEAD') return reply.stream(answerHeaders, () => Promise.resolve());
        return streamed(answerHeaders, archives.read(found, context.signal));
      },
    }),
    defineRoute({
      ...read,
      method: 'POST',
      path: '/rawDataServiceRest/rawData/ArchiveEntryQuery',
      documentation: {
        tag,
        summary: 'What is in several archives',
        description: LEFT_OUT,
        body: { description: 'The archives', example: { selectors: [SELECTOR_EXAMPLE] } },
        responses: { 200: listsAnswer },
        errors: ['UnsupportedArchive'],
      },
      body: entrySelectors,
      handle: async ({ body: { selectors }, context }) => {
        const found = await archives.findArchives(selectors, context);
        return entryLists(listsOf(deps, found, context.signal));
      },
    }),
    defineRoute({
      ...read,
      method: 'POST',
      path: '/rawDataServiceRest/rawData/ArchiveContentQuery',
      documentation: {
        tag,
        summary: 'Download entries of several archives',
        description: LEFT_OUT,
        body: {
          description: 'The archives, each with the names of entries',
          example: { selectors: [{ ...SELECTOR_EXAMPLE, entries: ['readme.txt'] }] },
        },
        responses: {
          200: {
            description: 'One BSON array with an element `{fileName, size, data, md5, archiveInfo}` for each entry',
            content: { schema: bytesSchema, example: 'bytes of a BSON document', contentType: 'application/bson' },
          },
        },
        errors: ['UnsupportedArchive'],
      },
      body: contentSelectors,
      handle: async ({ body: { selectors }, context }) => contentReply(deps, await archives.findEntries(selectors, context), context),
    }),
  ];
}

function addressOf({ entity, uuid, key }: z.infer<typeof params>): ArchiveAddress {
  return { target: readTarget(entity, uuid), key: readKey(key) };
}

/**
 * Reads the name from the whole rest of the path, with slashes plain or encoded; a slash at the end names a folder. spec: decisions.md 1.4
 */
function fileNameOf(path: string): string {
  const name = decodeURIComponent(/^(?:\/[^/]+){6}\/(.*)$/s.exec(path)?.[1] ?? '');
  if (name.includes('\0')) throw new ServiceError('InvalidRequest', 'The name of the file contains the character U+0000.');
  return name;
}

/** The index in the archive tells entries apart, those of the same name too. spec: decisions.md 6.4 */
function etagOfEntry({ archive, entry }: FoundEntry): string {
  return `${etagOf(archive).slice(0, -1)}-${entry.offset.toString(16)}"`;
}

function entryHeaders({ entry: { name, sizeBytes } }: FoundEntry): Record<string, string> {
  const isFolder = name.endsWith('/');
  const fileName = name.replace(/\/$/, '').replace(/^.*[\\/]/s, '');
  return {
    ...contentHeaders({ fileName, mimeType: 'application/octet-stream' }),
    // A range of decompressed bytes cannot be read without the bytes before it.
    'Accept-Ranges': 'none',
    'Content-Length': String(isFolder ? 0 : sizeBytes),
  };
}

async function* listsOf(
  { archives, md5Format }: ArchiveRoutesDependencies,
  found: readonly RawDataObject[],
  signal: AbortSignal,
): AsyncGenerator<EntryList> {
  for (const archive of found) {
    yield { archiveInfo: toInformation(archive, md5Format), entries: (await archives.directory(archive, signal)).entries };
  }
}

function entryLists(lists: AsyncIterable<EntryList> | Iterable<EntryList>): Reply {
  return reply.stream({ 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': CACHING }, (sink, signal) =>
    writeEntryLists(sink, signal, lists),
  );
}

function contentReply(
  { archives, md5Format }: ArchiveRoutesDependencies,
  found: readonly FoundEntry[],
  context: RequestContext,
): Promise<Reply> {
  const informations = new Map(found.map(({ archive }) => [archive, toInformation(archive, md5Format)]));
  const files = found.map((one) => ({
    fileName: one.entry.name,
    sizeBytes: one.entry.name.endsWith('/') ? 0 : one.entry.sizeBytes,
    archiveInfo: informations.get(one.archive) as ReturnType<typeof toInformation>,
    open: () => archives.read(one, context.signal),
  }));
  const answer = new BsonAnswer(files, md5Format);
  const headers = { 'Content-Type': 'application/bson', 'Content-Length': String(answer.length), 'Cache-Control': CACHING };
  return streamed(headers, answer.chunks());
}

async function streamed(headers: Readonly<Record<string, string>>, source: AsyncGenerator<Buffer>): Promise<Reply> {
  const chunks = await prefetched(source, CHECKED_BYTES);
  return reply.stream(headers, async (sink, signal) => {
    const writer = new PacedWriter(sink, signal);
    for await (const chunk of chunks) await writer.write(chunk);
  });
}
