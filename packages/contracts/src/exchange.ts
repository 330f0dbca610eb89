import { z } from 'zod';
import { errorBodySchema } from './errors.ts';

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

const filledItemSchema = z
  .object({
    kind: z.enum(['part', 'characteristic']),
    uuid: z.string(),
    path: z.string().meta({ description: 'Path on the server, with its type marker' }),
    keys: z.array(z.int()).meta({ description: 'Keys of the attributes that it had not' }),
  })
  .meta({ id: 'FilledItem', description: 'A part or characteristic that got attributes of a file' });
export type FilledItem = z.infer<typeof filledItemSchema>;

/** How a table was read, as the start of a mapping. */
const readTableSchema = z
  .object({
    headerRow: z.int().meta({ description: 'Number of the row with the names of the columns' }),
    separator: z.string().optional().meta({ description: 'Between the fields of CSV' }),
    sheets: z
      .array(z.string())
      .optional()
      .meta({ description: 'Sheets of a workbook, the one that was read first; absent when the mapping names it' }),
    columns: z
      .array(
        z.object({
          name: z.string(),
          holds: z
            .record(z.string(), z.unknown())
            .meta({ description: 'What the column was taken for, in the form of `columns` of `TableMapping`' }),
          examples: z.array(z.string()).meta({ description: 'Texts of the first rows' }),
        }),
      )
      .meta({ description: 'At most 2,000' }),
    columnCount: count,
  })
  .meta({ id: 'ReadTable', description: 'How a table was read; answered by a dry run' });
export type ReadTable = z.infer<typeof readTableSchema>;

/** Mappings of tables that are kept by name. */
export const tableMappingListSchema = z.array(
  z
    .object({ name: z.string(), user: z.string().optional(), time: z.string().meta({ description: 'When it was kept, ISO 8601, UTC' }) })
    .meta({ id: 'KeptMapping', description: 'A mapping of tables that is kept; its address answers what it says' }),
);
export type TableMappingList = z.infer<typeof tableMappingListSchema>;

/** Result of an import or of its dry run. */
export const importAnswerSchema = z
  .object({
    attributes: z
      .object({ created: z.array(z.int()).meta({ description: 'Keys of the standard attributes that were defined, ascending' }) })
      .meta({ description: 'Definitions of attributes' }),
    parts: createdOrFound,
    characteristics: createdOrFound,
    filled: z.array(filledItemSchema).meta({ description: 'Parts and characteristics that got missing attributes, at most 1,000' }),
    measurements: createdOrFound.meta({ description: 'All are `found` when the same content was imported before' }),
    values: count.meta({ description: 'Measured values of the file' }),
    firstMeasurements: z
      .array(z.string())
      .meta({ description: 'Uuids of the first measurement of each part, at most 100: an importer attaches the original file to them' }),
    warnings: z.array(fileProblemSchema).meta({ description: 'What was corrected or left out, at most 100' }),
    table: readTableSchema.optional().meta({ description: 'Of the dry run of a table' }),
  })
  .meta({ id: 'ImportAnswer', description: 'What an import did' });
export type ImportAnswer = z.infer<typeof importAnswerSchema>;

/** Body of a refused import; `errors` and `warnings` are those of the file, absent when the request itself is wrong. */
export const importRefusalSchema = errorBodySchema
  .extend({
    errors: z.array(fileProblemSchema).optional().meta({ description: 'What is wrong with the file, at most 100' }),
    warnings: z.array(fileProblemSchema).optional(),
    table: readTableSchema.optional().meta({ description: 'Of the dry run of a table' }),
  })
  .meta({ id: 'ImportRefusal', description: 'Why an import was refused' });
export type ImportRefusal = z.infer<typeof importRefusalSchema>;
