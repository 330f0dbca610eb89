import type { IncomingHttpHeaders } from 'node:http';
import { ServiceError, type TargetEntity } from '@sinebar/contracts';
import { answers, defineRoute, reply, REVALIDATED, type Reply, type Route } from '@sinebar/http';
import { create as contentDisposition } from 'content-disposition';
import { z } from 'zod';
import {
  bytesSchema,
  CACHE_CONDITIONS,
  expectedMd5Parameter,
  fileHeaders,
  FILES,
  targetParameters,
} from '../targets/file-parameter-texts.ts';
import { noSuchFile, readKey, readTarget } from '../targets/target.ts';
import { parseMd5 } from './md5.ts';
import type { Caller, ObjectService } from './object-service.ts';
import { etagOf, isNotModified, selectRange, stateOf } from './preconditions.ts';
import type { RawDataObject } from './raw-data-object.ts';
import { pipeGathered } from './pipe-gathered.ts';

const content = { schema: bytesSchema, example: 'ground, then polished\n', contentType: '*/*' };
const params = z.object({ entity: z.string(), uuid: z.string(), key: z.string() });

export const md5Parameter = z.string().transform((text, context) => {
  const digests = parseMd5(text);
  if (digests) return digests;
  context.addIssue({ code: 'custom', message: 'must be an MD5, as hexadecimal digits or Base64' });
  return z.NEVER;
});

/** Look-ups before a file that is replaced again and again is reported as unavailable. */
export const LOOK_UP_ATTEMPTS = 3;

/** spec: raw-data-service.md, Raw data objects (GET); decisions.md 6.4, 6.5 */
export function downloadRoutes({ objects }: { objects: Pick<ObjectService, 'find' | 'open'> }): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/rawDataServiceRest/rawData/:entity/:uuid/:key',
      documentation: {
        tag: FILES,
        summary: 'Download a file',
        parameters: { ...targetParameters, ...expectedMd5Parameter },
        headers: {
          ...CACHE_CONDITIONS,
          Range: { description: 'One range of bytes; several are answered with the whole file', example: 'bytes=0-9' },
          'If-Range': {
            description: 'The range only while the file has this ETag or time, otherwise the whole file',
            example: '"4f2b0c9d8a7"',
          },
        },
        responses: {
          200: { description: 'The bytes, with the type that the file was stored with', headers: fileHeaders, content },
          206: {
            description: 'The bytes of the range',
            headers: { ...fileHeaders, 'Content-Range': { description: 'Which bytes of how many', example: 'bytes 0-9/22' } },
            content: { ...content, example: 'ground, th' },
          },
          304: answers.unchanged,
        },
        errors: ['NotFound', 'PreconditionFailed', 'RangeNotSatisfiable'],
      },
      permission: 'rawData:read',
      deadline: 'read',
      contentCoding: 'identity',
      params,
      query: z.object({ expectedMd5: md5Parameter.optional() }),
      handle: ({ params: { entity, uuid, key }, query, headers, context, stream }) =>
        download(objects, readTarget(entity, uuid), readKey(key), {
          headers,
          expectedMd5: query.expectedMd5 ?? [],
          caller: context,
          withBody: stream.method !== 'HEAD',
        }),
    }),
  ];
}

interface Download {
  headers: IncomingHttpHeaders;
  expectedMd5: readonly string[];
  caller: Caller;
  /** False for HEAD: the file is not opened. */
  withBody: boolean;
}

async function download(
  objects: Pick<ObjectService, 'find' | 'open'>,
  target: TargetEntity,
  key: number,
  { headers, expectedMd5, caller, withBody }: Download,
): Promise<Reply> {
  for (let attempt = 1; attempt <= LOOK_UP_ATTEMPTS; attempt += 1) {
    const object = await objects.find(target, key, caller);
    const state = stateOf(object);
    const validators = validatorsOf(object, expectedMd5);
    if (isNotModified(headers, state)) return reply.empty(304, validators);
    // Ranges apply to GET only; HEAD describes the whole file.
    const range = withBody
      ? selectRange({ range: headers.range, ifRange: headers['if-range'] as string | undefined }, state, object.sizeBytes)
      : undefined;
    const length = range ? range.last - range.first + 1 : object.sizeBytes;
    const answerHeaders = {
      ...validators,
      ...contentHeaders(object),
      'Content-Length': String(length),
      ...(range && { 'Content-Range': `bytes ${range.first}-${range.last}/${object.sizeBytes}` }),
    };
    const status = range ? 206 : 200;
    if (!withBody) return reply.stream(answerHeaders, () => Promise.resolve(), status);
    const source = await objects.open(object, range, caller.signal);
    if (!source) continue;
    // Without a listener, a stream that fails before it is read would end the process.
    source.on('error', () => undefined);
    return reply.stream(answerHeaders, (sink, signal) => pipeGathered(source, sink, signal), status);
  }
  throw new ServiceError('Unavailable', `The bytes of raw data ${key} of ${target.uuid} cannot be found. Try again in a few seconds.`, {
    retryAfterSeconds: 1,
    cause: noSuchFile(target, key),
  });
}

/**
 * Makes the headers for caches. A client that names the right checksum may keep the bytes for ever, privately; all others revalidate.
 * `no-transform`, because ETag and ranges describe the stored bytes.
 * spec: decisions.md 6.4
 */
export function validatorsOf(
  object: Pick<RawDataObject, 'md5' | 'lastModified'>,
  expectedMd5: readonly string[],
  etag = etagOf(object),
): Record<string, string> {
  const isForEver = expectedMd5.includes(object.md5);
  return {
    ETag: etag,
    'Last-Modified': object.lastModified.toUTCString(),
    'Cache-Control': isForEver ? 'private, max-age=31536000, immutable, no-transform' : REVALIDATED,
    // The next user of the same browser may have other rights.
    Vary: 'Authorization',
  };
}

/** Makes browsers save the file instead of showing it, because it may contain scripts. spec: decisions.md 6.5 */
export function contentHeaders(object: Pick<RawDataObject, 'mimeType' | 'fileName'>): Record<string, string> {
  return {
    'Content-Type': object.mimeType,
    'Content-Disposition': contentDisposition(object.fileName),
    'Accept-Ranges': 'bytes',
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': "default-src 'none'; sandbox",
  };
}
