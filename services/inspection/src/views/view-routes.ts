import { savedViewListSchema, savedViewSchema, type SavedView } from '@sinebar/contracts';
import { answers, defineRoute, reply, uuidParameter, type Route } from '@sinebar/http';
import { z } from 'zod';
import { CACHE_CONDITION, cachedAnswers, CHANGE_CONDITION, CHANGED } from '../shared/documentation.ts';
import { callerOf } from '../shared/request-context.ts';
import { replyText } from '../shared/answers/text-etag.ts';
import { viewBody } from './view-body.ts';
import type { ViewService } from './view-service.ts';

const TAG = 'Views of the console';
const PATH = '/analysisServiceRest/views';
const BODY = { name: 'Worst of the line', address: '/console/parts/05040c4c-f0af-46b8-810e-30c0c00a379e?order=ppk', shared: true };
const EXAMPLE: SavedView = {
  uuid: '7f1c2b2e-6b1c-4b27-9d0e-54c1f2a7b003',
  ...BODY,
  own: false,
  user: 'ada',
  time: '2026-03-02T06:00:00.000Z',
};

const viewAddress = z.object({ uuid: uuidParameter });
const parameters = { uuid: { description: 'Uuid of the view', example: EXAMPLE.uuid } };

/** Views of the console that users have named, for themselves or for all. */
export function viewRoutes(service: ViewService): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: PATH,
      permission: 'signed-in',
      deadline: 'read',
      documentation: {
        tag: TAG,
        summary: 'List the saved views',
        description: 'Lists the own views of the caller and those that all users see, by name.',
        headers: CACHE_CONDITION,
        responses: cachedAnswers('The views', savedViewListSchema, [EXAMPLE]),
        errors: [],
      },
      handle: async (request) => replyText(request.headers['if-none-match'], await service.list(callerOf(request))),
    }),
    defineRoute({
      method: 'GET',
      path: `${PATH}/:uuid`,
      permission: 'signed-in',
      deadline: 'read',
      // The validator is also a condition of changes, so it must not depend on a coding.
      contentCoding: 'identity',
      documentation: {
        tag: TAG,
        parameters,
        summary: 'Read a saved view',
        headers: CACHE_CONDITION,
        responses: cachedAnswers('The view', savedViewSchema, EXAMPLE),
        errors: ['NotFound'],
      },
      params: viewAddress,
      handle: async (request) => replyText(request.headers['if-none-match'], await service.read(request.params.uuid, callerOf(request))),
    }),
    defineRoute({
      method: 'PUT',
      path: `${PATH}/:uuid`,
      permission: 'signed-in',
      deadline: 'write',
      documentation: {
        tag: TAG,
        parameters,
        summary: 'Save a view',
        description:
          'Creates the view, or replaces name, address and `shared` of one that exists. A view that all users see needs the right `configuration:write`; own views need a sign-in.',
        headers: CHANGE_CONDITION,
        body: { description: 'The view; members that the server sets may be sent back', example: BODY },
        responses: { 200: { ...answers.json('The view as it is stored', savedViewSchema, EXAMPLE), headers: CHANGED.headers } },
        errors: ['Forbidden', 'AlreadyExists', 'PreconditionFailed'],
      },
      params: viewAddress,
      body: viewBody,
      handle: async (request) => {
        const { text, etag } = await service.put(request.params.uuid, request.body, callerOf(request));
        return reply.text(text, { ETag: etag });
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: `${PATH}/:uuid`,
      deletes: 'item',
      permission: 'signed-in',
      deadline: 'write',
      documentation: {
        tag: TAG,
        parameters,
        summary: 'Delete a saved view',
        description: 'A view that all users see needs the right `configuration:write`.',
        headers: CHANGE_CONDITION,
        responses: { 200: answers.done },
        errors: ['Forbidden', 'NotFound', 'PreconditionFailed'],
      },
      params: viewAddress,
      handle: async (request) => {
        await service.delete(request.params.uuid, callerOf(request));
        return reply.empty(200);
      },
    }),
  ];
}
