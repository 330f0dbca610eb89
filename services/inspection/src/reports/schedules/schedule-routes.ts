import { reportRunListSchema, reportScheduleListSchema, reportScheduleSchema } from '@sinebar/contracts';
import { answers, defineRoute, reply, uuidParameter, type Route } from '@sinebar/http';
import { z } from 'zod';
import { replyText } from '../../shared/answers/text-etag.ts';
import { CACHE_CONDITION, cachedAnswers, CHANGE_CONDITION, CHANGED } from '../../shared/documentation.ts';
import { wholeNumberParameter } from '../../shared/parameters.ts';
import { callerOf } from '../../shared/request-context.ts';
import { scheduleBody } from './schedule-body.ts';
import { RUN_EXAMPLE, SCHEDULE_BODY, SCHEDULE_EXAMPLE } from './schedule-examples.ts';
import type { ScheduleService } from './schedule-service.ts';

const TAG = 'Schedules of reports';
const PATH = '/reportServiceRest/schedules';
const DEFAULT_RUNS = 20;
const MAX_RUNS = 1000;

const address = z.object({ uuid: uuidParameter });
const parameters = { uuid: { description: 'Uuid of the schedule', example: SCHEDULE_EXAMPLE.uuid } };
const RECEIVERS =
  'Receivers follow the rules of subscriptions of alarms: the own verified address may always be told; addresses of other domains than SINEBAR_MAIL_DOMAINS names, and webhooks, need the right `policy:write`. Webhooks have the shape `standard` and are signed with the secret of the schedule, which is made where none is given, and which no later answer holds.';

/** Schedules of reports, and what they made. spec: decisions.md 13.7-13.9 */
export function scheduleRoutes(service: ScheduleService): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: PATH,
      permission: 'signed-in',
      deadline: 'read',
      documentation: {
        tag: TAG,
        summary: 'List the schedules',
        description: 'Lists the own schedules of the caller, and with the right `policy:write` those of all users.',
        headers: CACHE_CONDITION,
        responses: cachedAnswers('The schedules', reportScheduleListSchema, [SCHEDULE_EXAMPLE]),
        errors: [],
      },
      handle: async (request) => replyText(request.headers['if-none-match'], await service.list(callerOf(request))),
    }),
    defineRoute({
      method: 'POST',
      path: PATH,
      permission: 'measurement:read',
      deadline: 'write',
      documentation: {
        tag: TAG,
        summary: 'Make a schedule',
        description: `Makes a report at each time of a cron line, keeps it, and sends it to receivers. It holds what the caller may read when it is made. ${RECEIVERS}`,
        body: { description: 'The schedule', example: SCHEDULE_BODY },
        responses: {
          201: {
            ...answers.json('The schedule as it is stored, with its secret', reportScheduleSchema, SCHEDULE_EXAMPLE),
            headers: CHANGED.headers,
          },
        },
        errors: ['NotFound', 'AlreadyExists'],
      },
      body: scheduleBody,
      handle: async (request) => {
        const { text, etag } = await service.create(request.body, callerOf(request));
        return { ...reply.text(text, { ETag: etag }), status: 201 };
      },
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
        summary: 'Read a schedule',
        headers: CACHE_CONDITION,
        responses: cachedAnswers('The schedule', reportScheduleSchema, SCHEDULE_EXAMPLE),
        errors: ['NotFound'],
      },
      params: address,
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
        summary: 'Change a schedule',
        description: `Replaces everything but the user, whose rights count, whoever changes it. ${RECEIVERS}`,
        headers: CHANGE_CONDITION,
        body: { description: 'The schedule; members that the server sets may be sent back', example: SCHEDULE_BODY },
        responses: {
          200: {
            ...answers.json('The schedule as it is stored, with a new secret', reportScheduleSchema, SCHEDULE_EXAMPLE),
            headers: CHANGED.headers,
          },
        },
        errors: ['Forbidden', 'NotFound', 'Conflict', 'PreconditionFailed'],
      },
      params: address,
      body: scheduleBody,
      handle: async (request) => {
        const { text, etag } = await service.update(request.params.uuid, request.body, callerOf(request));
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
        summary: 'Delete a schedule',
        description: 'Deletes it with the list of its runs; reports that it made stay.',
        headers: CHANGE_CONDITION,
        responses: { 200: answers.done },
        errors: ['NotFound', 'PreconditionFailed'],
      },
      params: address,
      handle: async (request) => {
        await service.delete(request.params.uuid, callerOf(request));
        return reply.empty(200);
      },
    }),
    defineRoute({
      method: 'GET',
      path: `${PATH}/:uuid/runs`,
      permission: 'signed-in',
      deadline: 'read',
      knowsAllParameters: true,
      documentation: {
        tag: TAG,
        parameters: {
          ...parameters,
          limitResult: { description: `Most runs, at most ${MAX_RUNS}; by default ${DEFAULT_RUNS}`, example: '20' },
        },
        summary: 'List what a schedule made',
        description: 'Lists the newest first, with what was sent.',
        responses: { 200: answers.json('The runs', reportRunListSchema, [RUN_EXAMPLE]) },
        errors: ['NotFound'],
      },
      params: address,
      query: z.object({ limitResult: wholeNumberParameter(1, MAX_RUNS).default(DEFAULT_RUNS) }),
      handle: async (request) => reply.json(await service.runs(request.params.uuid, request.query.limitResult, callerOf(request))),
    }),
    defineRoute({
      method: 'POST',
      path: `${PATH}/:uuid/runs`,
      permission: 'signed-in',
      deadline: 'write',
      documentation: {
        tag: TAG,
        parameters,
        summary: 'Make the report of a schedule now',
        description: 'Makes it, and sends it to the receivers, besides its next times.',
        responses: { 202: answers.json('The run has begun; `uuid` names it', z.object({ uuid: z.string() }), { uuid: RUN_EXAMPLE.uuid }) },
        errors: ['NotFound', 'Conflict'],
      },
      params: address,
      handle: async (request) => reply.json({ uuid: await service.run(request.params.uuid, callerOf(request)) }, 202),
    }),
  ];
}
