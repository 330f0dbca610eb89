import { uuidParameter } from '@sinebar/http';
import { z } from 'zod';
import { MAX_ENTRY_KEY } from '../configuration/attribute-values.ts';
import { wholeNumber } from '../configuration/configuration-schemas.ts';
import { strictMembers, textMember, wordMember } from '../shared/body-members.ts';

/** States that a person gives. */
const GIVEN_STATES = ['raised', 'acknowledged', 'closed'] as const;

/** Leaves room for the action in the note that a cause is written as. */
const MAX_NOTE = 3000;

/** Statement of a person about an alarm. */
export interface AlarmContent {
  state: (typeof GIVEN_STATES)[number];
  cause?: number | undefined;
  action?: number | undefined;
  note?: string | undefined;
}

/** Members of an alarm that a PUT may send back and that it does not change. */
const KEPT = [
  ...['uuid', 'kind', 'rule', 'on', 'partUuid', 'partPath', 'characteristicUuid', 'characteristicPath', 'raised', 'since', 'last'],
  ...['points', 'measurementUuid', 'value', 'limits', 'before', 'after', 'owner', 'reaction', 'muted', 'old', 'user', 'acknowledged'],
  ...['closed', 'modifiedBy', 'causeText', 'actionText', 'measurementUuids', 'steps'],
];

const contentShape = {
  state: wordMember(GIVEN_STATES),
  cause: wholeNumber(0, MAX_ENTRY_KEY).optional(),
  action: wholeNumber(0, MAX_ENTRY_KEY).optional(),
  note: textMember(MAX_NOTE).optional(),
};

/** Body of a PUT. */
export const alarmBody = strictMembers({
  ...contentShape,
  ...(Object.fromEntries(KEPT.map((name) => [name, z.unknown().optional()])) as Record<string, z.ZodOptional<z.ZodUnknown>>),
}).transform(({ state, cause, action, note }): AlarmContent => ({ state, cause, action, note }));

/** Most alarms of one body. */
const MAX_ALARMS = 500;
const TOO_MANY = `lists too many alarms; list at most ${MAX_ALARMS}, and send the others in further requests`;

/** A change of many alarms, each of which has to be in the state in which the person saw it. */
export interface ManyAlarms extends AlarmContent {
  alarms: readonly { uuid: string; was: AlarmContent['state'] }[];
}

/** Body of a PUT for many alarms. */
export const manyAlarmsBody = strictMembers({
  alarms: z
    .array(strictMembers({ uuid: uuidParameter, was: wordMember(GIVEN_STATES) }), 'must be a list of alarms')
    .min(1, 'is empty; list the alarms to change')
    .max(MAX_ALARMS, TOO_MANY)
    .superRefine((alarms, context) => {
      const seen = new Set<string>();
      for (const [i, { uuid }] of alarms.entries()) {
        if (seen.has(uuid)) context.addIssue({ code: 'custom', path: [i, 'uuid'], message: `lists the alarm ${uuid} a second time` });
        seen.add(uuid);
      }
    }),
  ...contentShape,
});

export const alarmAddress = z.object({ uuid: uuidParameter });
