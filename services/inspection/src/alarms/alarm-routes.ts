import { PathScope } from '@sinebar/access-control';
import { ALARM_KINDS, ALARM_STATES, alarmCountSchema, alarmListSchema, alarmSchema, changedAlarmsSchema } from '@sinebar/contracts';
import { answers, booleanParameter, defineRoute, reply, uuidParameter, type Route } from '@sinebar/http';
import { interfaceInformationSchema, SUPPORTED_VERSIONS } from '@sinebar/runtime';
import { z } from 'zod';
import { CACHE_CONDITION, cachedAnswers, CHANGE_CONDITION, CHANGED, CHARACTERISTIC_UUID, PART_UUID } from '../shared/documentation.ts';
import { partPathParameter, timeParameter, wholeNumberParameter, wordsParameter } from '../shared/parameters.ts';
import { callerOf } from '../shared/request-context.ts';
import { replyText } from '../shared/answers/text-etag.ts';
import { alarmAddress, alarmBody, manyAlarmsBody } from './alarm-body.ts';
import { ALARM_EXAMPLE, ALARM_WITH_STEPS_EXAMPLE, CHANGED_ALARM_BODY, CHANGED_ALARMS_EXAMPLE, MANY_ALARMS_BODY } from './alarm-examples.ts';
import type { AlarmService } from './alarm-service.ts';

const TAG = 'Alarms';
const PATH = '/alarmServiceRest/alarms';
const DEFAULT_LIMIT = 1000;
const MAX_LIMIT = 10_000;
const MAX_OFFSET = 999_999_999;

const selectionShape = {
  state: wordsParameter(ALARM_STATES).optional(),
  kind: wordsParameter(ALARM_KINDS).optional(),
  partUuid: uuidParameter.optional(),
  characteristicUuid: uuidParameter.optional(),
  partPath: partPathParameter.optional(),
  from: timeParameter.optional(),
  to: timeParameter.optional(),
  told: booleanParameter.optional(),
};
const countQuery = z.object(selectionShape);
const listQuery = z.object({
  ...selectionShape,
  limitResult: wholeNumberParameter(1, MAX_LIMIT).default(DEFAULT_LIMIT),
  offset: wholeNumberParameter(0, MAX_OFFSET).default(0),
});

const SELECTION_TEXTS = {
  state: { description: 'Only alarms in one of these states: raised, acknowledged, closed, withdrawn', example: '{raised,acknowledged}' },
  kind: { description: 'Only alarms of one of these kinds: tolerance, plausibility, rule, process, silence', example: '{tolerance,rule}' },
  partUuid: { description: 'Only alarms of this part itself', example: PART_UUID },
  characteristicUuid: { description: 'Only alarms of this characteristic', example: CHARACTERISTIC_UUID },
  partPath: { description: 'Only alarms of this part and everything below it', example: '/Pump' },
  from: { description: 'Only alarms that were raised at this time or later', example: '2026-03-02T00:00:00Z' },
  to: { description: 'Only alarms that were raised earlier', example: '2026-03-09T00:00:00Z' },
  told: {
    description: 'true: only alarms that subscribers are told of; false: only those of planned stops, and of values measured long ago',
    example: 'true',
  },
};
const parameters = { uuid: { description: 'Uuid of the alarm', example: ALARM_EXAMPLE.uuid } };

function selectionOf({ state, kind, partPath, ...selection }: z.output<typeof countQuery>) {
  return { ...selection, states: state, kinds: kind, below: partPath === undefined ? undefined : PathScope.below(partPath) };
}

/** Alarms: what goes wrong, and what people say about it. spec: decisions.md 12.2-12.5 */
export function alarmRoutes(service: AlarmService): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/alarmServiceRest',
      permission: 'open',
      deadline: 'read',
      documentation: {
        tag: TAG,
        summary: 'Versions of the interface for alarms',
        responses: {
          200: answers.json('The versions', interfaceInformationSchema, { supportedVersions: SUPPORTED_VERSIONS.alarmService }),
        },
        errors: [],
      },
      handle: () => Promise.resolve(reply.json({ supportedVersions: SUPPORTED_VERSIONS.alarmService })),
    }),
    defineRoute({
      method: 'GET',
      path: PATH,
      permission: 'measurement:read',
      deadline: 'read',
      knowsAllParameters: true,
      documentation: {
        tag: TAG,
        summary: 'List alarms',
        description: 'Lists the newest first, those of parts whose measurements the caller may read.',
        parameters: {
          ...SELECTION_TEXTS,
          limitResult: { description: `Most alarms, at most ${MAX_LIMIT}; by default ${DEFAULT_LIMIT}`, example: '100' },
          offset: { description: 'Newer alarms that are left out', example: '0' },
        },
        headers: CACHE_CONDITION,
        responses: cachedAnswers('The alarms, without their steps', alarmListSchema, [ALARM_EXAMPLE]),
        errors: ['NotFound'],
      },
      query: listQuery,
      handle: async (request) => {
        const { limitResult, offset, ...query } = request.query;
        const page = { ...selectionOf(query), limit: limitResult, offset };
        return replyText(request.headers['if-none-match'], await service.list(page, callerOf(request)));
      },
    }),
    defineRoute({
      method: 'GET',
      path: `${PATH}/count`,
      permission: 'measurement:read',
      deadline: 'read',
      knowsAllParameters: true,
      documentation: {
        tag: TAG,
        summary: 'Count alarms',
        description: 'Counts those of parts whose measurements the caller may read.',
        parameters: SELECTION_TEXTS,
        headers: CACHE_CONDITION,
        responses: cachedAnswers('The count', alarmCountSchema, { count: 3 }),
        errors: ['NotFound'],
      },
      query: countQuery,
      handle: async (request) =>
        replyText(request.headers['if-none-match'], await service.count(selectionOf(request.query), callerOf(request))),
    }),
    defineRoute({
      method: 'GET',
      path: `${PATH}/:uuid`,
      permission: 'measurement:read',
      deadline: 'read',
      // The validator is also a condition of changes, so it must not depend on a coding.
      contentCoding: 'identity',
      documentation: {
        tag: TAG,
        parameters,
        summary: 'Read an alarm with its steps',
        headers: CACHE_CONDITION,
        responses: cachedAnswers('The alarm', alarmSchema, ALARM_WITH_STEPS_EXAMPLE),
        errors: ['NotFound'],
      },
      params: alarmAddress,
      handle: async (request) => replyText(request.headers['if-none-match'], await service.read(request.params.uuid, callerOf(request))),
    }),
    defineRoute({
      method: 'PUT',
      path: PATH,
      permission: 'note:write',
      deadline: 'write',
      documentation: {
        tag: TAG,
        summary: 'Acknowledge or close many alarms',
        description:
          'Changes each alarm that is in the state `was`, in which the caller saw it, in one transaction, and says why the others were not changed. Cause, action and note that the body does not name stay as they are.',
        body: { description: 'The alarms, at most 500, and the state, cause, action and note of all of them', example: MANY_ALARMS_BODY },
        responses: {
          200: answers.json('What was changed, and why the rest was not', changedAlarmsSchema, CHANGED_ALARMS_EXAMPLE),
        },
        errors: [],
      },
      body: manyAlarmsBody,
      handle: async (request) => reply.json(await service.updateMany(request.body, callerOf(request))),
    }),
    defineRoute({
      method: 'PUT',
      path: `${PATH}/:uuid`,
      permission: 'note:write',
      deadline: 'write',
      documentation: {
        tag: TAG,
        parameters,
        summary: 'Acknowledge or close an alarm',
        description:
          'Replaces state, cause, action and note. A raised alarm can be acknowledged or closed, an acknowledged one closed, and a closed one acknowledged, which opens it again. A cause is also written as a note about the characteristic.',
        headers: CHANGE_CONDITION,
        body: { description: 'State, cause, action and note; other members of the alarm may be sent back', example: CHANGED_ALARM_BODY },
        responses: {
          200: { ...answers.json('The alarm as it is stored', alarmSchema, ALARM_WITH_STEPS_EXAMPLE), headers: CHANGED.headers },
        },
        errors: ['NotFound', 'Conflict', 'PreconditionFailed'],
      },
      params: alarmAddress,
      body: alarmBody,
      handle: async (request) => {
        const { text, etag } = await service.update(request.params.uuid, request.body, callerOf(request));
        return reply.text(text, { ETag: etag });
      },
    }),
  ];
}
