import { z } from 'zod';
import { errorBodySchema } from './errors.js';

const count = z.int().min(0);
const createdOrFound = z.object({
  created: count.meta({ description: 'Number of new ones' }),
  found: count.meta({ description: 'Number of those that were there' }),
});

const fileProblemSchema = z
  .object({
    line: z.int().optional().meta({ description: 'Line of the file from 1; missing for the file as a whole' }),
    key: z.string().optional().meta({ description: 'Field of the file, such as `K2110`' }),
    message: z.string().meta({ description: 'What was found, and what to do' }),
  })
  .meta({ id: 'FileProblem', description: 'What is wrong in a file, and where' });
export type FileProblem = z.infer<typeof fileProblemSchema>;

/** Result of an import or of its dry run. */
export const importAnswerSchema = z
  .object({
    parts: createdOrFound,
    characteristics: createdOrFound,
    measurements: createdOrFound.meta({ description: 'All are `found` when the same content was imported before' }),
    values: count.meta({ description: 'Measured values of the file' }),
    firstMeasurements: z
      .array(z.string())
      .meta({ description: 'Uuids of the first measurement of each part, at most 100: an importer attaches the original file to them' }),
    warnings: z.array(fileProblemSchema).meta({ description: 'What was corrected or left out, at most 100' }),
  })
  .meta({ id: 'ImportAnswer', description: 'What an import did' });
export type ImportAnswer = z.infer<typeof importAnswerSchema>;

/** Body of a refused import; `errors` and `warnings` are those of the file, absent when the request itself is wrong. */
export const importRefusalSchema = errorBodySchema
  .extend({
    errors: z.array(fileProblemSchema).optional().meta({ description: 'What is wrong with the file, at most 100' }),
    warnings: z.array(fileProblemSchema).optional(),
  })
  .meta({ id: 'ImportRefusal', description: 'Why an import was refused' });
export type ImportRefusal = z.infer<typeof importRefusalSchema>;
