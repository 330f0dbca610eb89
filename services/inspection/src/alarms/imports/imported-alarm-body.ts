import { ALARM_KINDS, ALARM_STATES, type Alarm, type AlarmStep } from '@sinebar/contracts';
import { uuidParameter } from '@sinebar/http';
import { z } from 'zod';
import { MAX_ENTRY_KEY } from '../../configuration/attribute-values.ts';
import { wholeNumber } from '../../configuration/configuration-schemas.ts';
import { numberMember, strictMembers, textMember, timeMember, wordMember } from '../../shared/body-members.ts';

/** An alarm of another server, with its steps and the measurements of its points. */
export interface ImportedAlarm extends Omit<Alarm, 'partPath' | 'characteristicPath'> {
  steps: AlarmStep[];
  measurementUuids: string[];
}

export interface AlarmImport {
  alarms: readonly ImportedAlarm[];
  /** Uuids of alarms that the values of the import have raised here. */
  replaces: readonly string[];
}

/** Most alarms of one body. */
const MAX_ALARMS = 500;
const MAX_STEPS = 10_000;
const MAX_POINTS = 1_000_000;

const flag = z.boolean('must be true or false');
const limits = { lower: numberMember().optional(), upper: numberMember().optional(), centerLine: numberMember().optional() };
const said = {
  user: textMember().optional(),
  causeText: textMember().optional(),
  actionText: textMember().optional(),
  note: textMember().optional(),
};

const stepMember = strictMembers({ ...said, state: wordMember(ALARM_STATES), time: timeMember });

const alarmMember = strictMembers({
  ...said,
  uuid: uuidParameter,
  state: wordMember(ALARM_STATES),
  kind: wordMember(ALARM_KINDS),
  rule: textMember().optional(),
  on: wordMember(['location', 'variation']).optional(),
  partUuid: uuidParameter,
  partPath: z.unknown().optional(),
  characteristicUuid: uuidParameter.optional(),
  characteristicPath: z.unknown().optional(),
  raised: timeMember,
  since: timeMember.optional(),
  last: timeMember.optional(),
  points: wholeNumber(0, MAX_POINTS),
  measurementUuid: uuidParameter.optional(),
  value: numberMember().optional(),
  limits: strictMembers(limits).optional(),
  before: textMember().optional(),
  after: textMember().optional(),
  owner: textMember().optional(),
  reaction: textMember().optional(),
  muted: flag,
  old: flag,
  acknowledged: timeMember.optional(),
  closed: timeMember.optional(),
  modifiedBy: textMember().optional(),
  cause: wholeNumber(0, MAX_ENTRY_KEY).optional(),
  action: wholeNumber(0, MAX_ENTRY_KEY).optional(),
  measurementUuids: z.array(uuidParameter, 'must be a list of uuids').max(MAX_POINTS, `lists more than ${MAX_POINTS} measurements`),
  steps: z.array(stepMember, 'must be a list of steps').min(1, 'is empty; an alarm was raised at least').max(MAX_STEPS),
}).superRefine(({ kind, rule, on, characteristicUuid }, context) => {
  const refuse = (name: string, message: string) => context.addIssue({ code: 'custom', path: [name], message });
  if (characteristicUuid === undefined && kind !== 'silence')
    refuse('characteristicUuid', 'is missing; only the silence of a part goes without it');
  if (kind === 'rule' && (rule === undefined || on === undefined))
    refuse(rule === undefined ? 'rule' : 'on', 'is missing; the kind rule needs rule and on');
  if (kind !== 'rule' && (rule ?? on) !== undefined) refuse(rule === undefined ? 'on' : 'rule', 'goes with the kind rule only');
});

const TOO_MANY = `lists more than ${MAX_ALARMS}; send the others in further requests`;

/** Body of a POST. */
export const alarmImportBody = strictMembers({
  alarms: z.array(alarmMember, 'must be a list of alarms').max(MAX_ALARMS, TOO_MANY),
  replaces: z.array(uuidParameter, 'must be a list of uuids').max(MAX_ALARMS, TOO_MANY).default([]),
}).transform(({ alarms, replaces }): AlarmImport => ({ alarms: alarms as ImportedAlarm[], replaces }));
