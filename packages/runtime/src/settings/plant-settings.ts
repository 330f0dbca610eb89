import { plantName, problemOfPlantName } from '@sinebar/contracts';
import { z } from 'zod';
import { defineSettings } from './settings.ts';

/** Setting of every process and command: the plant whose data it uses. */
export const plantSettings = defineSettings({
  SINEBAR_PLANT: {
    schema: z
      .string()
      .refine((name) => problemOfPlantName(name) === undefined, { error: ({ input }) => problemOfPlantName(String(input)) ?? '' })
      .transform(plantName)
      .default(''),
    description: 'name of the plant where several share database, broker and file store: letters, digits, hyphens; none for the only plant',
  },
});
