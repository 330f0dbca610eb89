import { REPORT_FORMATS, REPORT_LANGUAGES, REPORT_PAGES } from '@sinebar/contracts';
import { uuidParameter } from '@sinebar/http';
import { z } from 'zod';
import { wholeNumber } from '../configuration/configuration-schemas.ts';
import { strictMembers, textMember, timeMember, wordMember } from '../shared/body-members.ts';

/** Most characteristics that a request names, and that get pages of their own. */
export const MAX_NAMED = 1000;
export const MAX_TEMPLATE_NAME = 100;

export const namedCharacteristics = z
  .array(uuidParameter, 'must be a list of uuids')
  .min(1, 'is empty; leave it out for all characteristics')
  .max(MAX_NAMED, `lists more than ${MAX_NAMED} characteristics`);

/** Body of a POST. */
export const reportBody = strictMembers({
  template: textMember(MAX_TEMPLATE_NAME),
  selection: strictMembers({
    partUuid: uuidParameter,
    characteristicUuids: namedCharacteristics.optional(),
    measurementUuid: uuidParameter.optional(),
  }),
  language: wordMember(REPORT_LANGUAGES).default('en'),
  format: wordMember(REPORT_FORMATS).default('pdf'),
  from: timeMember.optional(),
  to: timeMember.optional(),
  options: strictMembers({ pages: wordMember(REPORT_PAGES).optional(), worst: wholeNumber(1, MAX_NAMED).optional() }).optional(),
  keep: z.boolean('must be true or false').default(false),
})
  .refine(({ from, to }) => from === undefined || to === undefined || from < to, { path: ['to'], message: 'lies before `from`' })
  .refine(({ keep, format }) => !keep || format === 'pdf', { path: ['format'], message: 'must be pdf for a report that is kept' });
export type ReportOrder = z.output<typeof reportBody>;
