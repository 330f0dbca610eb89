import { defineRoute, reply, type RequestContext, type Route, type RouteRequest } from '@sinebar/http';
import { ServiceError } from '@sinebar/contracts';
import { z } from 'zod';
import type { Md5Format } from '../objects/md5.js';
import { etagOf } from '../objects/preconditions.js';
import { toInformation, type RawDataObject } from '../objects/raw-data-object.js';
import { NEXT_FREE_KEY, readKey, readTarget } from '../targets/target.js';
import { uploadDocumentation } from './upload-documentation.js';
import type { UploadRequest } from './upload-service.js';

const params = z.object({ entity: z.string(), uuid: z.string(), key: z.string().optional() });
type Request = RouteRequest<z.output<typeof params>, unknown, unknown>;

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
      throw new ServiceError('InvalidRequest', 'PUT replaces a file: it needs its key; POST adds one');
    const context: RequestContext = request.context;
    const object = await uploads.upload({ target, key, mustExist, headers: request.headers, body: request.stream, context });
    return reply.json(toInformation(object, md5Format), mustExist ? 200 : 201, { ETag: etagOf(object) });
  };
  const shared = { permission: 'rawData:write', deadline: 'upload', params, body: 'stream' } as const;
  const path = '/rawDataServiceRest/rawData/:entity/:uuid';
  return [
    defineRoute({ ...shared, method: 'POST', path, documentation: uploadDocumentation.add, handle: (request) => upload(request, false) }),
    defineRoute({
      ...shared,
      method: 'POST',
      path: `${path}/:key`,
      documentation: uploadDocumentation.addWithKey,
      handle: (request) => upload(request, false),
    }),
    defineRoute({
      ...shared,
      method: 'PUT',
      path: `${path}/:key`,
      documentation: uploadDocumentation.replace,
      handle: (request) => upload(request, true),
    }),
  ];
}
