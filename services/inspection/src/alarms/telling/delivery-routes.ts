import { alarmDeliveryListSchema, alarmDeliverySchema, DELIVERY_STATES } from '@sinebar/contracts';
import { answers, defineRoute, reply, uuidParameter, type Route } from '@sinebar/http';
import { z } from 'zod';
import { replyText } from '../../shared/answers/text-etag.ts';
import { CACHE_CONDITION, cachedAnswers } from '../../shared/documentation.ts';
import { wholeNumberParameter, wordsParameter } from '../../shared/parameters.ts';
import { callerOf } from '../../shared/request-context.ts';
import type { DeliveryService } from './delivery-service.ts';
import { DELIVERY_EXAMPLE } from './telling-examples.ts';

const TAG = 'Messages about alarms';
const PATH = '/alarmServiceRest/deliveries';
const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 1000;

const address = z.object({ uuid: uuidParameter });
const parameters = { uuid: { description: 'Uuid of the message', example: DELIVERY_EXAMPLE.uuid } };

/** Messages that were sent, or are to be. */
export function deliveryRoutes(service: DeliveryService): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: PATH,
      permission: 'signed-in',
      deadline: 'read',
      knowsAllParameters: true,
      documentation: {
        tag: TAG,
        summary: 'List the messages about alarms',
        description:
          'Lists the newest first, those of own subscriptions, and with the right `policy:write` those of all users. Finished ones are kept for 30 days.',
        parameters: {
          state: {
            description: 'Only messages in one of these states: waiting, sending, delivered, failed, cancelled',
            example: '{waiting,failed}',
          },
          subscriptionUuid: { description: 'Only messages of this subscription', example: DELIVERY_EXAMPLE.subscriptionUuid },
          limitResult: { description: `Most messages, at most ${MAX_LIMIT}; by default ${DEFAULT_LIMIT}`, example: '100' },
        },
        headers: CACHE_CONDITION,
        responses: cachedAnswers('The messages', alarmDeliveryListSchema, [DELIVERY_EXAMPLE]),
        errors: ['NotFound'],
      },
      query: z.object({
        state: wordsParameter(DELIVERY_STATES).optional(),
        subscriptionUuid: uuidParameter.optional(),
        limitResult: wholeNumberParameter(1, MAX_LIMIT).default(DEFAULT_LIMIT),
      }),
      handle: async (request) => {
        const { state: states, subscriptionUuid, limitResult: limit } = request.query;
        return replyText(request.headers['if-none-match'], await service.list({ states, subscriptionUuid, limit }, callerOf(request)));
      },
    }),
    defineRoute({
      method: 'GET',
      path: `${PATH}/:uuid`,
      permission: 'signed-in',
      deadline: 'read',
      documentation: {
        tag: TAG,
        parameters,
        summary: 'Read a message about alarms',
        responses: { 200: answers.json('The message', alarmDeliverySchema, DELIVERY_EXAMPLE) },
        errors: ['NotFound'],
      },
      params: address,
      handle: async (request) => reply.json(await service.read(request.params.uuid, callerOf(request))),
    }),
    defineRoute({
      method: 'POST',
      path: `${PATH}/:uuid/retry`,
      permission: 'signed-in',
      deadline: 'write',
      documentation: {
        tag: TAG,
        parameters,
        summary: 'Send a message again',
        description: 'Tries one that has failed again for 24 hours, and one that waits at once. It keeps its uuid.',
        responses: { 200: answers.json('The message, which is about to be sent', alarmDeliverySchema, DELIVERY_EXAMPLE) },
        errors: ['NotFound', 'Conflict'],
      },
      params: address,
      handle: async (request) => reply.json(await service.retry(request.params.uuid, callerOf(request))),
    }),
  ];
}
