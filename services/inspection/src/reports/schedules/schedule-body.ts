import { REPORT_LANGUAGES, REPORT_PAGES } from '@sinebar/contracts';
import { uuidParameter } from '@sinebar/http';
import { z } from 'zod';
import { receiverMember, secretMember } from '../../alarms/telling/subscription-body.ts';
import { wholeNumber } from '../../configuration/configuration-schemas.ts';
import { zoneMember } from '../../evaluation/settings/settings-body.ts';
import { strictMembers, textMember, wordMember } from '../../shared/body-members.ts';
import { MAX_NAMED, MAX_TEMPLATE_NAME, namedCharacteristics } from '../report-body.ts';
import { cronProblem } from './schedule-times.ts';

const MAX_NAME = 200;
const MAX_CRON = 200;
const MAX_DAYS = 3660;
const MAX_RECEIVERS = 20;

const cron = textMember(MAX_CRON).superRefine((text, context) => {
  const problem = cronProblem(text);
  if (problem !== undefined) context.addIssue({ code: 'custom', message: problem });
});

const receivers = z
  .array(receiverMember, 'must be a list of receivers')
  .max(MAX_RECEIVERS, `names more than ${MAX_RECEIVERS} receivers`)
  .superRefine((list, context) => {
    for (const [i, receiver] of list.entries()) {
      if (receiver.kind !== 'webhook') continue;
      if (receiver.shape !== 'standard') context.addIssue({ code: 'custom', message: 'must be standard', path: [i, 'shape'] });
      if (receiver.secret !== undefined) {
        context.addIssue({
          code: 'custom',
          message: 'is not known here; the secret of a schedule is its member secret',
          path: [i, 'secret'],
        });
      }
    }
    const texts = list.map((receiver) => JSON.stringify(receiver).toLowerCase());
    const twice = texts.findIndex((text, i) => texts.indexOf(text) < i);
    if (twice >= 0) context.addIssue({ code: 'custom', message: 'is named twice', path: [twice] });
  })
  .default([]);

/** Members of a schedule that a PUT may send back and that the server sets. */
const KEPT = ['partPath', 'next', 'own', 'user', 'time', 'paused'] as const;

/** Body of a POST, and of a PUT, which ignores its `uuid`. */
export const scheduleBody = strictMembers({
  uuid: uuidParameter.optional(),
  name: textMember(MAX_NAME),
  template: textMember(MAX_TEMPLATE_NAME),
  selection: strictMembers({ partUuid: uuidParameter, characteristicUuids: namedCharacteristics.optional() }),
  language: wordMember(REPORT_LANGUAGES).default('en'),
  options: strictMembers({ pages: wordMember(REPORT_PAGES).optional(), worst: wholeNumber(1, MAX_NAMED).optional() }).optional(),
  days: wholeNumber(1, MAX_DAYS).optional(),
  when: strictMembers({ cron, zone: zoneMember.optional() }),
  receivers,
  enabled: z.boolean('must be true or false').default(true),
  secret: secretMember.optional(),
  ...(Object.fromEntries(KEPT.map((name) => [name, z.unknown().optional()])) as Record<(typeof KEPT)[number], z.ZodOptional<z.ZodUnknown>>),
});
export type ScheduleBody = z.output<typeof scheduleBody>;
