import { plantSettingsHistorySchema, plantSettingsSchema, shiftOfTimeSchema, type PlantSettings } from '@sinebar/contracts';
import { answers, defineRoute, reply, type Route } from '@sinebar/http';
import { z } from 'zod';
import { CACHE_CONDITION, cachedAnswers, CHANGE_CONDITION, CHANGED } from '../../shared/documentation.ts';
import { dateParameter } from '../../shared/parameters.ts';
import { callerOf, workOf } from '../../shared/request-context.ts';
import { replyText } from '../../shared/answers/text-etag.ts';
import { settingsBody } from './settings-body.ts';
import type { PlantSettingsService } from './settings-service.ts';

const TAG = 'Settings of the plant';
const PATH = '/analysisServiceRest/settings';
const SHIFTS = [
  { name: 'early', from: '06:00', to: '14:00', days: [1, 2, 3, 4, 5] },
  { name: 'night', from: '22:00', to: '06:00' },
];
const EXAMPLE: PlantSettings = { zone: 'Europe/Berlin', shifts: SHIFTS, required: 1.67, revision: 2 };
const { revision: _, ...STATE } = EXAMPLE;

/** Zone, shifts and required value of the plant. */
export function settingsRoutes(service: PlantSettingsService): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: PATH,
      permission: 'signed-in',
      deadline: 'read',
      // The validator is also a condition of changes, so it must not depend on a coding.
      contentCoding: 'identity',
      documentation: {
        tag: TAG,
        summary: 'Read the settings of the plant',
        headers: CACHE_CONDITION,
        responses: cachedAnswers('The settings', plantSettingsSchema, EXAMPLE),
        errors: [],
      },
      handle: async ({ context, headers }) => replyText(headers['if-none-match'], await service.read(workOf(context))),
    }),
    defineRoute({
      method: 'PUT',
      path: PATH,
      permission: 'configuration:write',
      deadline: 'write',
      documentation: {
        tag: TAG,
        summary: 'Change the settings of the plant',
        description: 'Replaces all of them.',
        headers: CHANGE_CONDITION,
        body: { description: 'The settings, and why they are changed', example: { ...STATE, reason: 'a third shift' } },
        responses: { 200: CHANGED },
        errors: ['PreconditionFailed'],
      },
      body: settingsBody,
      handle: async (request) => reply.empty(200, { ETag: await service.put(request.body, callerOf(request)) }),
    }),
    defineRoute({
      method: 'GET',
      path: `${PATH}/history`,
      permission: 'signed-in',
      deadline: 'read',
      documentation: {
        tag: TAG,
        summary: 'Read the changes of the settings of the plant',
        responses: {
          200: answers.json('The changes, the newest first', plantSettingsHistorySchema, [
            { revision: 2, time: '2026-03-02T06:00:00.000Z', user: 'ada', reason: 'a third shift', state: STATE },
          ]),
        },
        errors: [],
      },
      handle: async (request) => reply.json(await service.history(callerOf(request))),
    }),
    defineRoute({
      method: 'GET',
      path: `${PATH}/shift`,
      permission: 'signed-in',
      deadline: 'read',
      knowsAllParameters: true,
      documentation: {
        tag: TAG,
        summary: 'Tell shift, day and week of a time',
        description: 'A shift over midnight belongs to the day on which it begins.',
        parameters: { time: { description: 'The time', example: '2026-03-02T23:30:00Z' } },
        responses: { 200: answers.json('The shift', shiftOfTimeSchema, { shift: 'night', day: '2026-03-02', week: '2026-W10' }) },
        errors: [],
      },
      query: z.object({ time: dateParameter }),
      handle: async ({ query, context }) => reply.json(await service.shiftAt(query.time.instant.epochMs, workOf(context))),
    }),
  ];
}
