import { rawDataInformationSchema, ServiceError, type RawDataEntity } from '@sinebar/contracts';
import type { Database } from '@sinebar/database';
import { parseList, parseUnmarkedPath, storedPartPath } from '@sinebar/query-language';
import { answers, defineRoute, grammarParameter, jsonArrayOfTexts, members, reply, type Reply, type Route } from '@sinebar/http';
import { z } from 'zod';
import { filterCondition } from '../filter/filter-condition.ts';
import { parseFilter } from '../filter/filter-parser.ts';
import type { Md5Format } from '../objects/md5.ts';
import type { Caller, ObjectService } from '../objects/object-service.ts';
import type { ListRequest } from '../objects/object-listing.ts';
import { toInformation, type RawDataObject } from '../objects/raw-data-object.ts';
import { CHANGE_CONDITIONS, INFORMATION_EXAMPLE, PART_UUID, targetParameters } from '../targets/file-parameter-texts.ts';
import { readEntity, readKey, readTarget, readTargetUuid } from '../targets/target.ts';
import { checkFileName, checkMimeType, type UploadRules } from '../uploads/upload-headers.ts';

export interface InformationRoutesDependencies {
  database: Database;
  objects: Pick<ObjectService, 'list' | 'listOfTarget' | 'requireListable' | 'update'>;
  md5Format: Md5Format;
  rules: Pick<UploadRules, 'allowedFileNames'>;
  /** Clock for relative dates in filters. */
  now: () => Date;
}

const tag = 'Information on files';
const listAnswer = answers.json('What is stored, in the order of targets and keys', z.array(rawDataInformationSchema), [
  INFORMATION_EXAMPLE,
]);

/**
 * Routes for information on files, also at the addresses of releases before 1.7.0.
 * spec: raw-data-service.md, Raw data information; decisions.md 6.7, 6.9
 */
export function informationRoutes(deps: InformationRoutesDependencies): Route[] {
  const { objects, md5Format, now } = deps;
  const query = z.object({
    uuids: z.string().optional(),
    measurementUuids: z.string().optional(),
    partPath: grammarParameter((text) => storedPartPath(parseUnmarkedPath(text))).optional(),
    filter: grammarParameter((text) => filterCondition(parseFilter(text, now()))).optional(),
  });
  const read = { method: 'GET', permission: 'rawData:read', deadline: 'read' } as const;
  const listings = ['/rawDataServiceRest/rawDataInformation', '/rawDataServiceRest/rawData'].flatMap((base) => [
    defineRoute({
      ...read,
      path: `${base}/:entity`,
      isSearch: true,
      documentation: {
        tag,
        summary: 'Information on the files of one kind of entity',
        description: 'Of all targets that the caller may see, or of those that are chosen. The answer is sent while it is read.',
        parameters: {
          ...targetParameters,
          uuids: { description: 'Targets, as a list', example: `{${PART_UUID}}` },
          measurementUuids: {
            description: 'Measurements, as a list: their own files with the entity `measurement`, those of their values with `value`',
            example: '{0c9a4f46-9a0e-4b0b-8d7f-2a5b2b6f0c11}',
          },
          partPath: { description: 'Part: only what belongs to it or to a part below it', example: '/Line 1/Pump' },
          filter: {
            description: 'Condition on the information, in the filter language; `like` works on `FileName`, `MimeType` and `MD5`',
            example: `FileName like '*.txt'`,
          },
        },
        responses: { 200: listAnswer },
        errors: ['NotFound'],
      },
      params: z.object({ entity: z.string() }),
      query,
      handle: async ({ params, query: { uuids, measurementUuids, partPath, filter }, context }) => {
        const entity = readEntity(params.entity);
        const request = {
          entity,
          uuids: readUuids(entity, uuids),
          measurementUuids: readMeasurementUuids(entity, measurementUuids),
          below: partPath,
          condition: filter,
        };
        await objects.requireListable(context);
        return listReply(deps, request, context);
      },
    }),
    defineRoute({
      ...read,
      path: `${base}/:entity/:uuid`,
      documentation: {
        tag,
        summary: 'Information on the files of one target',
        parameters: targetParameters,
        responses: { 200: listAnswer },
        errors: ['NotFound'],
      },
      params: z.object({ entity: z.string(), uuid: z.string() }),
      handle: async ({ params, context }) => {
        const found = await objects.listOfTarget(readTarget(params.entity, params.uuid), context);
        return reply.json(found.map((object) => toInformation(object, md5Format)));
      },
    }),
  ]);
  const update = defineRoute({
    method: 'PUT',
    path: '/rawDataServiceRest/rawDataInformation/:entity/:uuid/:key',
    documentation: {
      tag,
      summary: 'Give a file another name or type',
      description: 'What is left out stays as it is.',
      parameters: targetParameters,
      headers: CHANGE_CONDITIONS,
      body: { description: 'The new name, the new type, or both', example: { fileName: 'protocol.txt', mimeType: 'text/plain' } },
      responses: { 200: answers.done },
      errors: ['NotFound', 'PreconditionFailed', 'Conflict'],
    },
    permission: 'rawData:write',
    deadline: 'write',
    params: z.object({ entity: z.string(), uuid: z.string(), key: z.string() }),
    // `null` means absent (spec: decisions.md 2.1).
    body: members({ fileName: z.string('must be a text').nullish(), mimeType: z.string('must be a text').nullish() }),
    handle: async ({ params, body, headers, context }) => {
      const fileName = body.fileName ?? undefined;
      const mimeType = body.mimeType ?? undefined;
      if (fileName !== undefined) checkFileName(fileName, deps.rules, 'fileName');
      if (mimeType !== undefined) checkMimeType(mimeType, 'mimeType');
      await objects.update(readTarget(params.entity, params.uuid), readKey(params.key), { fileName, mimeType }, headers, context);
      return reply.empty(200);
    },
  });
  return [...listings, update];
}

function readUuids(entity: RawDataEntity, text: string | undefined): string[] | undefined {
  return text === undefined ? undefined : [...new Set(parseList(text).map((item) => readTargetUuid(entity, item, 'uuids')))];
}

/** @throws ServiceError 400 for files of a part or a characteristic, which belong to no measurement */
function readMeasurementUuids(entity: RawDataEntity, text: string | undefined): string[] | undefined {
  if (text === undefined) return undefined;
  if (entity !== 'Measurement' && entity !== 'Value') {
    throw new ServiceError(
      'InvalidRequest',
      `The parameter measurementUuids chooses files of measurements and of values, not those of a ${entity.toLowerCase()}.`,
    );
  }
  return [...new Set(parseList(text).map((item) => readTargetUuid('Measurement', item, 'measurementUuids')))];
}

/** Streams the list from one snapshot, because a server may hold millions of files. */
function listReply({ database, objects, md5Format }: InformationRoutesDependencies, request: ListRequest, caller: Caller): Reply {
  return reply.stream({ 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'private, no-cache' }, (sink, signal) =>
    database.stream({ ...caller, signal }, async (session) => {
      const texts = (page: readonly RawDataObject[]) => page.map((object) => JSON.stringify(toInformation(object, md5Format)));
      await jsonArrayOfTexts(sink, signal, mapped(objects.list(session, request, caller), texts));
    }),
  );
}

async function* mapped<T, R>(source: AsyncIterable<T>, map: (item: T) => R): AsyncGenerator<R> {
  for await (const item of source) yield map(item);
}
