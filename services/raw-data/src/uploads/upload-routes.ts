import { type AnyRouteDocumentation, defineRoute, reply, type RequestContext, type Route, type RouteRequest } from '@sinebar/http';
import { ServiceError } from '@sinebar/contracts';
import { z } from 'zod';
import type { Md5Format } from '../objects/md5.ts';
import { etagOf } from '../objects/preconditions.ts';
import { toInformation, type RawDataObject } from '../objects/raw-data-object.ts';
import { bytesSchema, CHANGE_CONDITIONS, ETAG, FILES, informationAnswer, targetParameters } from '../targets/file-parameter-texts.ts';
import { NEXT_FREE_KEY, readKey, readTarget } from '../targets/target.ts';
import type { UploadRequest } from './upload-service.ts';

const params = z.object({ entity: z.string(), uuid: z.string(), key: z.string().optional() });
type Request = RouteRequest<z.output<typeof params>, unknown, unknown>;

const documented = {
  tag: FILES,
  headers: {
    'Content-Disposition': {
      description: 'The name of the file, also as `filename*` or as an encoded word',
      example: 'attachment; filename="note.txt"',
      required: true,
    },
    'Content-MD5': {
      description: 'MD5 of the bytes, Base64 or hexadecimal: with another one nothing is stored',
      example: 'jpxNKnsfQMal0+LxsMnYpw==',
    },
    'Content-Encoding': {
      description: '`gzip` or `deflate`: the file is stored decompressed; one that grows too much is 413',
      example: 'gzip',
    },
  },
  body: {
    description:
      'The bytes of the file itself, never a form. `Content-Type` is its type, in quotes or not; left out, POST takes `application/octet-stream`, PUT keeps the type',
    schema: bytesSchema,
    example: 'ground, then polished\n',
    contentType: '*/*',
  },
} satisfies Partial<AnyRouteDocumentation>;
const errors = ['NotFound', 'ChecksumMismatch', 'UnsupportedMediaType', 'Conflict'] as const;
const REPLACING = ['LengthRequired', 'PreconditionFailed'] as const;

export interface UploadRoutesDependencies {
  uploads: { upload(request: UploadRequest): Promise<RawDataObject> };
  md5Format: Md5Format;
}

/** spec: raw-data-service.md, Raw data objects (POST, PUT) */
export function uploadRoutes({ uploads, md5Format }: UploadRoutesDependencies): Route[] {
  const upload = async (request: Request, mustExist: boolean) => {
    const target = readTarget(request.params.entity, request.params.uuid);
    const key = request.params.key === undefined ? NEXT_FREE_KEY : readKey(request.params.key);
    if (mustExist && key === NEXT_FREE_KEY)
      throw new ServiceError('InvalidRequest', 'PUT replaces a file and needs its key. Use POST to add a file.');
    const context: RequestContext = request.context;
    const object = await uploads.upload({ target, key, mustExist, headers: request.headers, body: request.stream, context });
    return reply.json(toInformation(object, md5Format), mustExist ? 200 : 201, { ETag: etagOf(object) });
  };
  const shared = { permission: 'rawData:write', deadline: 'upload', params, body: 'stream' } as const;
  const path = '/rawDataServiceRest/rawData/:entity/:uuid';
  const added = { ...documented, parameters: targetParameters, responses: { 201: { ...informationAnswer, headers: ETAG } }, errors };
  return [
    defineRoute({
      ...shared,
      method: 'POST',
      path,
      documentation: { ...added, summary: 'Add a file under the next free key' },
      handle: (request) => upload(request, false),
    }),
    defineRoute({
      ...shared,
      method: 'POST',
      path: `${path}/:key`,
      documentation: {
        ...added,
        headers: { ...added.headers, ...CHANGE_CONDITIONS },
        summary: 'Add a file under a key of choice, or replace the one that has it',
        description: 'The key -1 stands for the next free one; conditions are then ignored.',
        errors: [...errors, ...REPLACING],
      },
      handle: (request) => upload(request, false),
    }),
    defineRoute({
      ...shared,
      method: 'PUT',
      path: `${path}/:key`,
      documentation: {
        ...documented,
        headers: { ...documented.headers, ...CHANGE_CONDITIONS },
        summary: 'Replace a file',
        parameters: targetParameters,
        responses: { 200: { ...informationAnswer, headers: ETAG } },
        errors: [...errors, ...REPLACING],
      },
      handle: (request) => upload(request, true),
    }),
  ];
}
