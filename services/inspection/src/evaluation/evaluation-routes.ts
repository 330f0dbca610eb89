import { evaluationHistorySchema, evaluationListSchema, evaluationSchema } from '@sinebar/contracts';
import { answers, defineRoute, reply, uuidParameter, type Route } from '@sinebar/http';
import type { PlanItemKind } from '@sinebar/query-language';
import { z } from 'zod';
import { CACHE_CONDITION, cachedAnswers, CHANGE_CONDITION, CHANGED } from '../shared/documentation.ts';
import { callerOf } from '../shared/request-context.ts';
import { replyText } from '../shared/answers/text-etag.ts';
import { reasonMember } from '../shared/body-members.ts';
import { evaluationBody } from './evaluation-body.ts';
import { EVALUATION_BODY, EVALUATION_EXAMPLE, EVALUATION_HISTORY_EXAMPLE, EVALUATION_LIST_EXAMPLE } from './evaluation-examples.ts';
import type { EvaluationService } from './evaluation-service.ts';

const TAG = 'Evaluation';
const PATHS = { characteristic: '/analysisServiceRest/characteristics', part: '/analysisServiceRest/parts' } as const;
const itemAddress = z.object({ uuid: uuidParameter });
const PARAMETERS = {
  uuid: { description: 'Uuid of the item', example: '0f3e8f6e-3a0c-4a0b-9a44-6f2f6f1a2b11' },
  reason: { description: 'Why it is removed', example: 'agreed with the line' },
};
/** How characteristics are evaluated: own states of characteristics and parts, what follows from them, and their history. */
export function evaluationRoutes(service: EvaluationService): Route[] {
  return [
    ...(['characteristic', 'part'] as const).flatMap((kind) => routesOf(kind, service)),
    defineRoute({
      method: 'GET',
      path: `${PATHS.part}/:uuid/evaluations`,
      permission: 'plan:read',
      deadline: 'read',
      documentation: {
        tag: TAG,
        parameters: PARAMETERS,
        summary: 'List what a part and the items below it say about their evaluation',
        responses: { 200: answers.json('The own states, parents before children', evaluationListSchema, EVALUATION_LIST_EXAMPLE) },
        errors: ['NotFound'],
      },
      params: itemAddress,
      handle: async (request) => reply.json(await service.list(request.params.uuid, callerOf(request))),
    }),
  ];
}

function routesOf(kind: PlanItemKind, service: EvaluationService): Route[] {
  const path = `${PATHS[kind]}/:uuid/evaluation`;
  const below = kind === 'part' ? ' It is the default for everything below the part.' : '';
  const documentation = { tag: TAG, parameters: PARAMETERS };
  return [
    defineRoute({
      method: 'GET',
      path,
      permission: 'plan:read',
      deadline: 'read',
      // The validator is also a condition of changes, so it must not depend on a coding.
      contentCoding: 'identity',
      documentation: {
        ...documentation,
        summary: `Read how a ${kind} is evaluated`,
        description: `Each member comes from the nearest of the item, those above it, attributes, and the server; \`sources\` says which.${below}`,
        headers: CACHE_CONDITION,
        responses: cachedAnswers('The effective evaluation', evaluationSchema, EVALUATION_EXAMPLE),
        errors: ['NotFound'],
      },
      params: itemAddress,
      handle: async (request) =>
        replyText(request.headers['if-none-match'], await service.read(kind, request.params.uuid, callerOf(request))),
    }),
    defineRoute({
      method: 'PUT',
      path,
      permission: 'plan:write',
      deadline: 'write',
      documentation: {
        ...documentation,
        summary: `Change how a ${kind} is evaluated`,
        description: `Replaces what the item says itself; members that are left out come from above. Exclusions that it has keep their user and time.${below}`,
        headers: CHANGE_CONDITION,
        body: { description: 'The own state, and why it is changed', example: EVALUATION_BODY },
        responses: { 200: CHANGED },
        errors: ['NotFound', 'PreconditionFailed'],
      },
      params: itemAddress,
      body: evaluationBody,
      handle: async (request) => {
        const etag = await service.put(kind, request.params.uuid, request.body, callerOf(request));
        return reply.empty(200, { ETag: etag });
      },
    }),
    defineRoute({
      method: 'DELETE',
      path,
      deletes: 'item',
      permission: 'plan:write',
      deadline: 'write',
      documentation: {
        ...documentation,
        summary: `Remove what a ${kind} says about its evaluation`,
        description: 'Everything comes from above again. The history stays.',
        headers: CHANGE_CONDITION,
        responses: { 200: CHANGED },
        errors: ['NotFound', 'PreconditionFailed'],
      },
      params: itemAddress,
      query: z.object({ reason: reasonMember }),
      handle: async (request) => {
        const etag = await service.delete(kind, request.params.uuid, request.query.reason, callerOf(request));
        return reply.empty(200, { ETag: etag });
      },
    }),
    defineRoute({
      method: 'GET',
      path: `${path}/history`,
      permission: 'plan:read',
      deadline: 'read',
      documentation: {
        ...documentation,
        summary: `Read the changes of the evaluation of a ${kind}`,
        responses: { 200: answers.json('The changes, the newest first', evaluationHistorySchema, EVALUATION_HISTORY_EXAMPLE) },
        errors: ['NotFound'],
      },
      params: itemAddress,
      handle: async (request) => reply.json(await service.history(kind, request.params.uuid, callerOf(request))),
    }),
  ];
}
