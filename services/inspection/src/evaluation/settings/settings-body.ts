import type { PlantSettingsState, Shift } from '@sinebar/contracts';
import { quoted } from '@sinebar/http';
import { z } from 'zod';
import { wholeNumber } from '../../configuration/configuration-schemas.ts';
import { numberMember, reasonMember, strictMembers, textMember } from '../../shared/body-members.ts';
import { minutesOfDay, overlappingShifts, PlantClock } from './plant-clock.ts';

const MAX_SHIFTS = 50;
const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

/** The content of a PUT. */
export interface SettingsBody {
  state: PlantSettingsState;
  reason: string;
}

function wallTime(pattern: RegExp, expected: string) {
  const message = `must be a wall time ${expected}`;
  return z.string(message).regex(pattern, message);
}

const shift = strictMembers({
  name: textMember(100),
  from: wallTime(/^([01]\d|2[0-3]):[0-5]\d$/, 'from 00:00 to 23:59'),
  to: wallTime(/^(([01]\d|2[0-3]):[0-5]\d|24:00)$/, 'from 00:00 to 24:00'),
  days: z.array(wholeNumber(1, 7), 'must be a list of days from 1, Monday, to 7').min(1, 'names no day').optional(),
}).transform(({ name, from, to, days }, context): Shift => {
  if (minutesOfDay(from) === minutesOfDay(to)) context.addIssue({ code: 'custom', message: 'must differ from from', path: ['to'] });
  return { name, from, to, ...(days !== undefined && { days: [...new Set(days)].sort((a, b) => a - b) }) };
});

const shifts = z
  .array(shift, 'must be a list of shifts')
  .max(MAX_SHIFTS, `has more than ${MAX_SHIFTS} shifts`)
  .superRefine((list, context) => {
    const names = new Set<string>();
    for (const [index, { name }] of list.entries()) {
      if (names.has(name))
        context.addIssue({ code: 'custom', message: `has the name of another shift, ${quoted(name)}`, path: [index, 'name'] });
      names.add(name);
    }
    const overlap = overlappingShifts(list);
    if (!overlap) return;
    const { first, second, day } = overlap;
    context.addIssue({
      code: 'custom',
      message: `has shifts that overlap on ${WEEKDAYS[day - 1]}: ${quoted(first)} and ${quoted(second)}`,
    });
  });

export const zoneMember = z.string('must be a zone such as Europe/Berlin').refine(isZone, 'must be a zone such as Europe/Berlin');

function isZone(text: string): boolean {
  try {
    return new PlantClock({ zone: text, shifts: [] }) instanceof PlantClock;
  } catch {
    return false;
  }
}

/** Body of a PUT. */
export const settingsBody = strictMembers({
  zone: zoneMember,
  shifts: shifts.optional(),
  required: numberMember({ min: 0.1, max: 10 }).optional(),
  reason: reasonMember,
}).transform(({ zone: ofPlant, shifts: list = [], required, reason }): SettingsBody => ({
  state: { zone: ofPlant, shifts: list, ...(required !== undefined && { required }) },
  reason,
}));
