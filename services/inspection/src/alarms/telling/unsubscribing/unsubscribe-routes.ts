import type { IncomingHttpHeaders } from 'node:http';
import { defineRoute, reply, uuidParameter, type Reply, type ResponseDocumentation, type Route } from '@sinebar/http';
import { z } from 'zod';
import { workOf } from '../../../shared/request-context.ts';
import { SUBSCRIPTION_EXAMPLE } from '../telling-examples.ts';
import { unsubscribePage, type UnsubscribePage } from './unsubscribe-page.ts';
import type { UnsubscribeService } from './unsubscribe-service.ts';

const TAG = 'Subscriptions of alarms';
const PATH = '/alarmServiceRest/subscriptions/:uuid/unsubscribe';

const address = z.object({ uuid: uuidParameter });
const signature = z.object({ token: z.string() });
const parameters = {
  uuid: { description: 'Uuid of the subscription', example: SUBSCRIPTION_EXAMPLE.uuid },
  token: { description: 'Signature in the link of the mail', example: 'Zk3w0s1Yh0Qm2c0yJ5b3o8n6i9l4p7t1vXaBcDeFgHi' },
};
const page = (description: string): ResponseDocumentation => ({
  description,
  content: { schema: z.string(), example: '<!doctype html>…', contentType: 'text/html' },
});
const REFUSED = page('The page that says that the link is not one of this subscription, or not one of its present address');

/** The page has no scripts and is not framed; its form sends to this server only. */
const HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': `default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  'Cache-Control': 'no-store',
  Vary: 'Accept-Language',
  // The address holds the signature. With `no-referrer` a browser would send the form with `Origin: null`, which the guard refuses.
  'Referrer-Policy': 'same-origin',
};

/** The end of a subscription by the link of a mail, in one click (RFC 8058). */
export function unsubscribeRoutes(service: UnsubscribeService): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: PATH,
      permission: 'open',
      deadline: 'read',
      documentation: {
        tag: TAG,
        summary: 'Ask whether to end a subscription',
        description: 'Answers a page with a button that sends the POST. It changes nothing: programs that scan mail follow its links.',
        parameters,
        responses: { 200: page('The page'), 403: REFUSED },
        errors: [],
      },
      params: address,
      query: signature,
      handle: async ({ params: { uuid }, query: { token }, context, headers }) => {
        const found = await service.find(uuid, token, workOf(context));
        return pageReply(found.kind === 'found' ? { kind: 'question', address: found.address } : { kind: found.kind }, headers);
      },
    }),
    defineRoute({
      method: 'POST',
      path: PATH,
      deletes: 'item',
      permission: 'open',
      deadline: 'write',
      documentation: {
        tag: TAG,
        summary: 'End a subscription by the link of a mail',
        description:
          'Mail programs send it as the header `List-Unsubscribe-Post` of the mail says (RFC 8058). It needs no sign-in: the signature says that its sender has a mail of this subscription. A subscription that has ended already is no error. The body is not read.',
        parameters,
        responses: { 200: page('The page that says that it has ended'), 403: REFUSED },
        errors: [],
      },
      params: address,
      query: signature,
      handle: async ({ params: { uuid }, query: { token }, context, headers }) => {
        const result = await service.end(uuid, token, workOf(context));
        if (result.kind === 'ended' && result.isNew)
          context.log.info({ subscription: uuid }, 'a subscription of alarms was ended by the link of a mail');
        return pageReply({ kind: result.kind }, headers);
      },
    }),
  ];
}

function pageReply(content: UnsubscribePage, { 'accept-language': languages = '' }: IncomingHttpHeaders): Reply {
  const [language] = /\b(?:en|de)\b/i.exec(languages) ?? [];
  const body = Buffer.from(unsubscribePage(content, language?.toLowerCase() === 'de' ? 'de' : 'en'));
  return reply.stream(
    { ...HEADERS, 'Content-Length': String(body.length) },
    (sink) => {
      sink.write(body);
      return Promise.resolve();
    },
    content.kind === 'refused' ? 403 : 200,
  );
}
