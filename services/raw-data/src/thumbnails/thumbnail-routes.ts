import type { IncomingHttpHeaders } from 'node:http';
import { ServiceError, type TargetEntity } from '@sinebar/contracts';
import { answers, defineRoute, reply, type Reply, type Route } from '@sinebar/http';
import { z } from 'zod';
import { contentHeaders, LOOK_UP_ATTEMPTS, md5Parameter, validatorsOf } from '../objects/download-routes.ts';
import type { Caller, ObjectService } from '../objects/object-service.ts';
import { pipeGathered } from '../objects/pipe-gathered.ts';
import { etagOf, isNotModified } from '../objects/preconditions.ts';
import type { RawDataObject } from '../objects/raw-data-object.ts';
import {
  bytesSchema,
  CACHE_CONDITIONS,
  expectedMd5Parameter,
  fileHeaders,
  FILES,
  targetParameters,
} from '../targets/file-parameter-texts.ts';
import { describeTarget, readKey, readTarget } from '../targets/target.ts';
import { NoThumbnailError } from './thumbnail-maker.ts';
import type { ThumbnailService } from './thumbnail-service.ts';
import type { Thumbnail } from './thumbnail-store.ts';

export interface ThumbnailRoutesDependencies {
  objects: Pick<ObjectService, 'find'>;
  thumbnails: Pick<ThumbnailService, 'find' | 'open'>;
}

/** spec: raw-data-service.md, Raw data objects (GET thumbnail); decisions.md 6.4, 6.6 */
export function thumbnailRoutes({ objects, thumbnails }: ThumbnailRoutesDependencies): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/rawDataServiceRest/rawData/:entity/:uuid/:key/thumbnail',
      documentation: {
        tag: FILES,
        summary: 'A small picture of a file',
        description: '404 for files that there is none of: only pictures that can be read have one.',
        parameters: { ...targetParameters, ...expectedMd5Parameter },
        headers: CACHE_CONDITIONS,
        responses: {
          200: {
            description: 'A picture, JPEG or PNG',
            headers: fileHeaders,
            content: { schema: bytesSchema, example: 'bytes of a picture', contentType: 'image/*' },
          },
          304: answers.unchanged,
        },
        errors: ['NotFound', 'PreconditionFailed'],
      },
      permission: 'rawData:read',
      deadline: 'read',
      contentCoding: 'identity',
      params: z.object({ entity: z.string(), uuid: z.string(), key: z.string() }),
      query: z.object({ expectedMd5: md5Parameter.optional() }),
      handle: async ({ params, query: { expectedMd5 = [] }, headers, context, stream }) => {
        const target = readTarget(params.entity, params.uuid);
        const key = readKey(params.key);
        for (let attempt = 1; attempt <= LOOK_UP_ATTEMPTS; attempt += 1) {
          const object = await objects.find(target, key, context);
          const thumbnail = await thumbnails.find(object, context).catch((error: unknown): never => {
            throw error instanceof NoThumbnailError ? noThumbnail(target, key, error) : error;
          });
          const answer = thumbnail && (await thumbnailReply(thumbnails, object, thumbnail, { headers, expectedMd5, context, stream }));
          if (answer) return answer;
        }
        throw new ServiceError('Unavailable', 'The file changes too often for a thumbnail. Try again in a few seconds.', {
          retryAfterSeconds: 1,
        });
      },
    }),
  ];
}

interface Asked {
  headers: IncomingHttpHeaders;
  expectedMd5: readonly string[];
  context: Caller;
  stream: { method?: string | undefined };
}

/** @returns `undefined` when its bytes were removed */
async function thumbnailReply(
  thumbnails: Pick<ThumbnailService, 'open'>,
  object: RawDataObject,
  thumbnail: Thumbnail,
  { headers, expectedMd5, context, stream }: Asked,
): Promise<Reply | undefined> {
  // A new thumbnail of the same file has another object name, and so another ETag.
  const etag = etagOf(object).replace(/"$/, `-${thumbnail.objectName.slice(0, 8)}"`);
  const validators = validatorsOf(object, expectedMd5, etag);
  if (isNotModified(headers, { etag, lastModified: object.lastModified })) return reply.empty(304, validators);
  const extension = thumbnail.mimeType === 'image/png' ? 'png' : 'jpg';
  const answerHeaders = {
    ...validators,
    ...contentHeaders({ mimeType: thumbnail.mimeType, fileName: `${object.fileName}.${extension}` }),
    'Accept-Ranges': 'none',
    'Content-Length': String(thumbnail.sizeBytes),
  };
  if (stream.method === 'HEAD') return reply.stream(answerHeaders, () => Promise.resolve());
  const source = await thumbnails.open(thumbnail, context);
  if (!source) return undefined;
  // Without a listener, a stream that fails before it is read would end the process.
  source.on('error', () => undefined);
  return reply.stream(answerHeaders, (sink, signal) => pipeGathered(source, sink, signal));
}

function noThumbnail(target: TargetEntity, key: number, { message }: NoThumbnailError): ServiceError {
  return new ServiceError('NotFound', `There is no thumbnail of raw data ${key} of ${describeTarget(target)}: ${message}.`);
}
