import { PathScope } from '@sinebar/access-control';
import { muteListSchema, muteSchema } from '@sinebar/contracts';
import { answers, defineRoute, reply, type Route } from '@sinebar/http';
import { z } from 'zod';
import { CACHE_CONDITION, cachedAnswers } from '../../shared/documentation.ts';
import { partPathParameter, timeParameter, wholeNumberParameter } from '../../shared/parameters.ts';
import { callerOf } from '../../shared/request-context.ts';
import { replyText } from '../../shared/answers/text-etag.ts';
import { alarmAddress } from '../alarm-body.ts';
import { MUTE_EXAMPLE, NEW_MUTE_BODY } from '../alarm-examples.ts';
import { newMuteBody } from './mute-body.ts';
import type { MuteService } from './mute-service.ts';

const TAG = 'Alarms';
const PATH = '/alarmServiceRest/mutes';
const DEFAULT_LIMIT = 1000;
const MAX_LIMIT = 10_000;
const MAX_OFFSET = 999_999_999;

const muteQuery = z.object({
  partPath: partPathParameter.optional(),
  from: timeParameter.optional(),
  to: timeParameter.optional(),
  limitResult: wholeNumberParameter(1, MAX_LIMIT).default(DEFAULT_LIMIT),
  offset: wholeNumberParameter(0, MAX_OFFSET).default(0),
});

/** Planned stops, which keep alarms from being told. spec: decisions.md 12.6 */
export function muteRoutes(service: MuteService): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: PATH,
      permission: 'measurement:read',
      deadline: 'read',
      knowsAllParameters: true,
      documentation: {
        tag: TAG,
        summary: 'List planned stops',
        description:
          'Lists the latest beginning first, those of parts whose measurements the caller may read, and only those that are not over.',
        parameters: {
          partPath: { description: 'Only stops of this part and everything below it', example: '/Pump' },
          from: { description: 'Only stops that end later; by default now', example: '2026-03-02T00:00:00Z' },
          to: { description: 'Only stops that begin earlier', example: '2026-03-09T00:00:00Z' },
          limitResult: { description: `Most stops, at most ${MAX_LIMIT}; by default ${DEFAULT_LIMIT}`, example: '100' },
          offset: { description: 'Later stops that are left out', example: '0' },
        },
        headers: CACHE_CONDITION,
        responses: cachedAnswers('The planned stops', muteListSchema, [MUTE_EXAMPLE]),
        errors: [],
      },
      query: muteQuery,
      handle: async (request) => {
        const { partPath, limitResult, ...selection } = request.query;
        const below = partPath === undefined ? undefined : PathScope.below(partPath);
        const page = { ...selection, below, limit: limitResult };
        return replyText(request.headers['if-none-match'], await service.list(page, callerOf(request)));
      },
    }),
    defineRoute({
      method: 'POST',
      path: PATH,
      permission: 'note:write',
      deadline: 'write',
      documentation: {
        tag: TAG,
        summary: 'Plan a stop',
        description:
          'Alarms that are raised at and below the part meanwhile are listed, and told to nobody. The stop begins now where `from` is absent; `uuid` may be given.',
        body: { description: 'The stop, of a part by `partUuid` or `partPath`', example: NEW_MUTE_BODY },
        responses: { 201: answers.json('The stop as it is stored', muteSchema, MUTE_EXAMPLE) },
        errors: ['NotFound', 'AlreadyExists'],
      },
      body: newMuteBody,
      handle: async (request) => ({ ...reply.text(await service.create(request.body, callerOf(request)), {}), status: 201 }),
    }),
    defineRoute({
      method: 'DELETE',
      path: `${PATH}/:uuid`,
      deletes: 'item',
      permission: 'note:write',
      deadline: 'write',
      documentation: {
        tag: TAG,
        parameters: { uuid: { description: 'Uuid of the stop', example: MUTE_EXAMPLE.uuid } },
        summary: 'End a planned stop now',
        description: 'A stop that has not begun is removed; one that is over stays as it was.',
        responses: { 200: answers.done },
        errors: ['NotFound'],
      },
      params: alarmAddress,
      handle: async (request) => {
        await service.end(request.params.uuid, callerOf(request));
        return reply.empty(200);
      },
    }),
  ];
}
