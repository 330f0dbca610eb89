import { defineRoute, reply, uuidParameter, type Route } from '@sinebar/http';
import { z } from 'zod';
import { CACHE_CONDITION, cachedAnswers, CHANGE_CONDITION, CHANGED, PART_UUID } from '../../shared/documentation.ts';
import { callerOf } from '../../shared/request-context.ts';
import { replyText } from '../../shared/answers/text-etag.ts';
import { firstArticleBody, type FirstArticleService } from './first-article-service.ts';

const TAG = 'Reports';
const PATH = '/reportServiceRest/firstArticle/:partUuid';
const EXAMPLE = { serialNumber: 'SN 0001', reportNumber: 'FAIR 2026-07', organization: 'Example AG', materialCertificate: '3.1 - 88123' };

const address = z.object({ partUuid: uuidParameter });
const parameters = { partUuid: { description: 'Uuid of the part', example: PART_UUID } };
const answerSchema = z.record(z.string(), z.string()).describe('Texts by the names of the fields; those that are not filled are absent');

/** Fields of a first article inspection that no attribute holds. spec: decisions.md 13.5 */
export function firstArticleRoutes(service: FirstArticleService): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: PATH,
      permission: 'plan:read',
      deadline: 'read',
      // The validator is also a condition of changes, so it must not depend on a coding.
      contentCoding: 'identity',
      documentation: {
        tag: TAG,
        parameters,
        summary: 'Read what is typed for the first article inspection of a part',
        headers: CACHE_CONDITION,
        responses: cachedAnswers('The fields', answerSchema, EXAMPLE),
        errors: ['NotFound'],
      },
      params: address,
      handle: async (request) =>
        replyText(request.headers['if-none-match'], await service.read(request.params.partUuid, callerOf(request))),
    }),
    defineRoute({
      method: 'PUT',
      path: PATH,
      permission: 'note:write',
      deadline: 'write',
      documentation: {
        tag: TAG,
        parameters,
        summary: 'Type what the first article inspection of a part asks for',
        description: 'Replaces all fields. What is typed counts before the attribute of the part that has the same meaning.',
        headers: CHANGE_CONDITION,
        body: { description: 'The fields that are filled', example: EXAMPLE },
        responses: { 200: CHANGED },
        errors: ['NotFound', 'PreconditionFailed'],
      },
      params: address,
      body: firstArticleBody,
      handle: async (request) => {
        const { etag } = await service.put(request.params.partUuid, request.body, callerOf(request));
        return reply.empty(200, { ETag: etag });
      },
    }),
  ];
}
