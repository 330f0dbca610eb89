import { z } from 'zod';

const shiftSchema = z.object({
  name: z.string(),
  from: z.string().describe('Wall time, such as `06:00`'),
  to: z.string().describe('Wall time at which it has ended; before `from` for a shift over midnight'),
  days: z.array(z.int()).optional().describe('Days on which it begins, 1 is Monday and 7 Sunday; by default all'),
});
export type Shift = z.infer<typeof shiftSchema>;

const stateShape = {
  zone: z.string().describe('Zone of the plant, a name of the IANA database such as `Europe/Berlin`'),
  shifts: z.array(shiftSchema),
  required: z.number().optional().describe('Index that a capable characteristic needs where nothing else says it'),
};

/** What holds for the whole plant. */
export const plantSettingsStateSchema = z.object(stateShape).meta({ id: 'PlantSettingsState' });
export type PlantSettingsState = z.infer<typeof plantSettingsStateSchema>;

export const plantSettingsSchema = z
  .object({ ...stateShape, revision: z.int().describe('Number of changes') })
  .meta({ id: 'PlantSettings' });
export type PlantSettings = z.infer<typeof plantSettingsSchema>;

export const plantSettingsHistorySchema = z.array(
  z
    .object({
      revision: z.int(),
      time: z.string().describe('ISO 8601, UTC'),
      user: z.string().optional(),
      reason: z.string(),
      state: plantSettingsStateSchema,
    })
    .meta({ id: 'PlantSettingsRevision' }),
);
export type PlantSettingsHistory = z.infer<typeof plantSettingsHistorySchema>;

export const shiftOfTimeSchema = z
  .object({
    shift: z.string().optional().describe('Absent between shifts'),
    day: z.string().describe('Day on which the shift began, else that of the time, in the zone of the plant'),
    week: z.string().describe('ISO week of the day, such as `2026-W14`'),
  })
  .meta({ id: 'ShiftOfTime' });
export type ShiftOfTime = z.infer<typeof shiftOfTimeSchema>;
