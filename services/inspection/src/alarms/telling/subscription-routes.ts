import { alarmDeliverySchema, alarmSubscriptionListSchema, alarmSubscriptionSchema, receiverChoiceSchema } from '@sinebar/contracts';
import { answers, defineRoute, reply, uuidParameter, type Route } from '@sinebar/http';
import { z } from 'zod';
import { replyText } from '../../shared/answers/text-etag.ts';
import { CACHE_CONDITION, cachedAnswers, CHANGE_CONDITION, CHANGED } from '../../shared/documentation.ts';
import { callerOf } from '../../shared/request-context.ts';
import type { DeliveryService } from './delivery-service.ts';
import { subscriptionBody } from './subscription-body.ts';
import type { SubscriptionService } from './subscription-service.ts';
import {
  DELIVERY_EXAMPLE,
  NEW_SUBSCRIPTION_EXAMPLE,
  RECEIVER_CHOICE_EXAMPLE,
  SUBSCRIPTION_BODY,
  SUBSCRIPTION_EXAMPLE,
} from './telling-examples.ts';

const TAG = 'Subscriptions of alarms';
const PATH = '/alarmServiceRest/subscriptions';

const address = z.object({ uuid: uuidParameter });
const parameters = { uuid: { description: 'Uuid of the subscription', example: SUBSCRIPTION_EXAMPLE.uuid } };
const RECEIVER =
  'The own verified address, the claim `email` of OpenID Connect, may always be told; addresses of other domains than SINEBAR_MAIL_DOMAINS names, and webhooks, need the right `policy:write`.';
const SECRET =
  'A webhook of the shape `standard` is signed with a secret, which is made where none is given, and which no later answer holds.';

/** Subscriptions to alarms, and the receivers that a caller may name. */
export function subscriptionRoutes(service: SubscriptionService, deliveries: DeliveryService): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: PATH,
      permission: 'signed-in',
      deadline: 'read',
      documentation: {
        tag: TAG,
        summary: 'List the subscriptions',
        description: 'Lists the own subscriptions of the caller, and with the right `policy:write` those of all users.',
        headers: CACHE_CONDITION,
        responses: cachedAnswers('The subscriptions', alarmSubscriptionListSchema, [SUBSCRIPTION_EXAMPLE]),
        errors: [],
      },
      handle: async (request) => replyText(request.headers['if-none-match'], await service.list(callerOf(request))),
    }),
    defineRoute({
      method: 'GET',
      path: '/alarmServiceRest/receivers',
      permission: 'signed-in',
      deadline: 'read',
      documentation: {
        tag: TAG,
        summary: 'Read whom the caller may have told',
        responses: { 200: answers.json('What subscriptions of the caller may name', receiverChoiceSchema, RECEIVER_CHOICE_EXAMPLE) },
        errors: [],
      },
      handle: async (request) => reply.json(await service.choice(callerOf(request))),
    }),
    defineRoute({
      method: 'POST',
      path: PATH,
      permission: 'signed-in',
      deadline: 'write',
      documentation: {
        tag: TAG,
        summary: 'Subscribe to alarms',
        description: `Tells a receiver about alarms at and below a part that the caller may read when they are told. ${RECEIVER} ${SECRET}`,
        body: { description: 'The subscription', example: SUBSCRIPTION_BODY },
        responses: {
          201: {
            ...answers.json('The subscription as it is stored, with its secret', alarmSubscriptionSchema, NEW_SUBSCRIPTION_EXAMPLE),
            headers: CHANGED.headers,
          },
        },
        errors: ['Forbidden', 'AlreadyExists'],
      },
      body: subscriptionBody,
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
        summary: 'Read a subscription',
        headers: CACHE_CONDITION,
        responses: cachedAnswers('The subscription', alarmSubscriptionSchema, SUBSCRIPTION_EXAMPLE),
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
        summary: 'Change a subscription',
        description: `Replaces everything but the user; what this user may have told counts, whoever changes it. ${RECEIVER} A secret stays where none is given, and so does the address of \`teams\` and \`slack\` where it is sent back as it was read.`,
        headers: CHANGE_CONDITION,
        body: { description: 'The subscription; members that the server sets may be sent back', example: SUBSCRIPTION_BODY },
        responses: {
          200: {
            ...answers.json('The subscription as it is stored, with a new secret', alarmSubscriptionSchema, NEW_SUBSCRIPTION_EXAMPLE),
            headers: CHANGED.headers,
          },
        },
        errors: ['Forbidden', 'NotFound', 'Conflict', 'PreconditionFailed'],
      },
      params: address,
      body: subscriptionBody,
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
        summary: 'Delete a subscription',
        description: 'Deletes it with the list of its messages; what is being sent still arrives.',
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
      method: 'POST',
      path: `${PATH}/:uuid/test`,
      permission: 'signed-in',
      deadline: 'write',
      documentation: {
        tag: TAG,
        parameters,
        summary: 'Send a test message',
        description:
          'Sends a message without alarms at once, whatever digest and quiet hours say. GET /deliveries/{uuid} tells how it went.',
        responses: {
          201: answers.json('The message, which is about to be sent', alarmDeliverySchema, { ...DELIVERY_EXAMPLE, test: true }),
        },
        errors: ['NotFound', 'Conflict', 'TooManyRequests'],
      },
      params: address,
      handle: async (request) => reply.json(await deliveries.test(request.params.uuid, callerOf(request)), 201),
    }),
  ];
}
