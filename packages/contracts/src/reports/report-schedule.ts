import { z } from 'zod';
import { PAUSE_REASONS, receiverSchema } from '../alarms/subscription.ts';
import { DELIVERY_STATES } from '../alarms/words.ts';
import { REPORT_LANGUAGES, REPORT_PAGES } from './report.ts';

const time = z.string().describe('ISO 8601, UTC');

export const RUN_STATES = ['running', 'done', 'failed'] as const;
export type ReportRunState = (typeof RUN_STATES)[number];

/** A report that is made again and again, kept, and sent to receivers. */
export const reportScheduleSchema = z
  .object({
    uuid: z.string(),
    name: z.string(),
    template: z.string(),
    selection: z.object({ partUuid: z.string(), characteristicUuids: z.array(z.string()).optional() }),
    partPath: z.string().optional().describe('Of the part, such as `/Line/Pump`; absent while there is no such part'),
    language: z.enum(REPORT_LANGUAGES),
    options: z.object({ pages: z.enum(REPORT_PAGES).optional(), worst: z.int().optional() }).optional(),
    days: z.int().optional().describe('Only values of so many days before the due time; absent: all until then'),
    when: z.object({
      cron: z.string().describe('Minute, hour, day of the month, month, day of the week'),
      zone: z.string().optional().describe('Zone of its wall times; absent: that of the plant'),
    }),
    receivers: z.array(receiverSchema).describe('Told about each report: by mail with the PDF, or by a webhook of the shape `standard`'),
    enabled: z.boolean(),
    secret: z.string().optional().describe('Signs the webhooks; only in the answer that made it'),
    next: time.optional().describe('When the next report is due; absent where none will be'),
    own: z.boolean(),
    user: z.string().optional().describe('Whose it is: reports hold only what this user may read'),
    time: time.describe('When it was made'),
    paused: z
      .enum(PAUSE_REASONS)
      .optional()
      .describe(
        'Why no report is made: the user is not in the access policy any more (`user`), has not signed in for too long (`signIn`), or the part is missing (`part`)',
      ),
  })
  .meta({ id: 'ReportSchedule' });
export type ReportSchedule = z.infer<typeof reportScheduleSchema>;

export const reportScheduleListSchema = z.array(reportScheduleSchema);

const sendingSchema = z.object({
  receiver: z.object({ kind: z.enum(['email', 'webhook']), to: z.string().describe('Address, or origin of the webhook') }),
  state: z.enum(DELIVERY_STATES).describe('`failed` after 24 hours of tries'),
  tries: z.int(),
  lastTry: time.optional(),
  nextTry: time.optional().describe('Absent when it is finished'),
  answer: z.string().optional().describe('Of the receiver to the last try, or why there was none'),
});

/** A run of a schedule, at one of its times. */
export const reportRunSchema = z
  .object({
    uuid: z.string(),
    scheduleUuid: z.string(),
    due: time,
    state: z.enum(RUN_STATES),
    reason: z.string().optional().describe('Why it failed'),
    reportUuid: z.string().optional().describe('The kept report; absent without one'),
    whole: z.boolean().optional().describe('Whether the user of the schedule may see everything that belongs to the report'),
    started: time,
    finished: time.optional(),
    sent: z.array(sendingSchema),
  })
  .meta({ id: 'ReportRun' });
export type ReportRun = z.infer<typeof reportRunSchema>;

export const reportRunListSchema = z.array(reportRunSchema);
