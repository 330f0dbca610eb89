import { z } from 'zod';
import { ALARM_KINDS, ALARM_STATES } from './words.ts';

const time = z.string().describe('ISO 8601, UTC');

const stepSchema = z
  .object({
    state: z.enum(ALARM_STATES),
    time,
    user: z.string().optional().describe('Who did it; absent for what the server did, without sign-in, and where names are not shown'),
    causeText: z.string().optional(),
    actionText: z.string().optional(),
    note: z.string().optional(),
  })
  .meta({ id: 'AlarmStep' });
export type AlarmStep = z.infer<typeof stepSchema>;

const alarmLimitsSchema = z
  .object({ lower: z.number().optional(), upper: z.number().optional(), centerLine: z.number().optional() })
  .describe('Those that the newest point was judged by');
export type AlarmLimits = z.infer<typeof alarmLimitsSchema>;

/** Something that goes wrong with a characteristic, from its first point to its last. */
export const alarmSchema = z
  .object({
    uuid: z.string(),
    state: z.enum(ALARM_STATES),
    kind: z.enum(ALARM_KINDS),
    rule: z.string().optional().describe('Of the chart, such as `nelson2`; only of the kind `rule`'),
    on: z.enum(['location', 'variation']).optional().describe('The chart of a rule'),
    partUuid: z.string(),
    partPath: z.string().describe('With type marker: `PP:/assembly/door/`'),
    characteristicUuid: z.string().optional().describe('Absent for the silence of a part'),
    characteristicPath: z.string().optional().describe('With type marker'),
    raised: time.describe('When it was noticed'),
    since: time.optional().describe('Time of the measurement of its first point; absent without one'),
    last: time.optional().describe('Time of the measurement of its newest point'),
    points: z.int().describe('Points that belong to it'),
    measurementUuid: z.string().optional().describe('Measurement of its newest point'),
    value: z.number().optional().describe('Of its newest point'),
    limits: alarmLimitsSchema.optional(),
    before: z.string().optional().describe('Status of the process before it got worse'),
    after: z.string().optional(),
    owner: z.string().optional().describe('From the evaluation when it was raised'),
    reaction: z.string().optional().describe('What to do, from the evaluation when it was raised'),
    muted: z.boolean().describe('Whether a planned stop keeps it from being told'),
    old: z.boolean().describe('Whether it was measured too long ago to be told'),
    user: z.string().optional().describe('Who acknowledged it'),
    acknowledged: time.optional(),
    closed: time.optional().describe('When it was closed or withdrawn'),
    modifiedBy: z.string().optional().describe('Who closed it; absent where it closed by itself'),
    cause: z.int().optional().describe('Key of an entry of the catalog of causes, which has the attribute 4391'),
    causeText: z.string().optional(),
    action: z.int().optional().describe('Key of an entry of the catalog of actions, which has the attribute 4392'),
    actionText: z.string().optional(),
    note: z.string().optional(),
    measurementUuids: z.array(z.string()).optional().describe('Measurements of its points, the oldest first; only of a single alarm'),
    steps: z.array(stepSchema).optional().describe('All of them, the oldest first; only of a single alarm'),
  })
  .meta({ id: 'Alarm' });
export type Alarm = z.infer<typeof alarmSchema>;

export const alarmListSchema = z.array(alarmSchema);

/** Answer to a change of many alarms. */
export const changedAlarmsSchema = z
  .object({
    changed: z.array(z.string()).describe('Uuids of the alarms that are now as was asked'),
    refused: z.array(
      z.object({
        uuid: z.string(),
        message: z.string().describe('Why the alarm was not changed'),
        alarm: alarmSchema.optional().describe('The alarm as it is, where another state was expected and the caller may read it'),
      }),
    ),
  })
  .meta({ id: 'ChangedAlarms' });
export type ChangedAlarms = z.infer<typeof changedAlarmsSchema>;

export const alarmCountSchema = z
  .object({
    count: z.int(),
    pending: z.boolean().optional().describe('Whether values of these parts are still to be judged: there may soon be more alarms'),
  })
  .meta({ id: 'AlarmCount' });
export type AlarmCount = z.infer<typeof alarmCountSchema>;

/** Answer to alarms that come from another server. */
export const importedAlarmsSchema = z
  .object({
    created: z.array(z.string()).describe('Uuids of the alarms that are new'),
    replaced: z.array(z.string()).describe('Uuids of the alarms that were deleted'),
    refused: z.array(z.object({ uuid: z.string(), message: z.string().describe('Why nothing was done with the alarm') })),
  })
  .meta({ id: 'ImportedAlarms' });
export type ImportedAlarms = z.infer<typeof importedAlarmsSchema>;

/** A planned stop: what happens at and below its part meanwhile is kept, and told to nobody. */
export const muteSchema = z
  .object({
    uuid: z.string(),
    partUuid: z.string(),
    partPath: z.string().describe('With type marker: `PP:/assembly/door/`'),
    from: time,
    until: time,
    reason: z.string(),
    user: z.string().optional().describe('Who planned it; absent without sign-in, and where names are not shown'),
  })
  .meta({ id: 'AlarmMute' });
export type AlarmMute = z.infer<typeof muteSchema>;

export const muteListSchema = z.array(muteSchema);
