import { z } from 'zod';
import { DATE_ORDERS } from '../date-forms.ts';
import { isEncoding } from '../text-lines.ts';

const text = z.string().min(1).max(255);
/** Names of columns, and paths of names, such as `Bore/Diameter`. */
const name = z.string().min(1).max(2000);
const attributeKey = z.int().min(1).max(32_767);
const attributes = z
  .record(z.string().regex(/^[1-9]\d{0,4}$/, 'must be the key of an attribute such as 2101'), z.string().max(255))
  .meta({ description: 'Attributes by key, such as `{"2101": "20"}`' });

const columnSchema = z
  .discriminatedUnion('is', [
    z.strictObject({ is: z.literal('part') }).meta({ description: 'The part: a name, or a path such as `/Line/Pump`' }),
    z.strictObject({ is: z.literal('time') }).meta({ description: 'Time of the measurement; two such columns are date and time of day' }),
    z
      .strictObject({ is: z.literal('measurement') })
      .meta({ description: 'Rows that follow each other with the same text are one measurement' }),
    z.strictObject({ is: z.literal('characteristic') }).meta({
      description: 'Long layout: the characteristic of the row, such as `Bore` or `Bore/Diameter`; several such columns are its levels',
    }),
    z
      .strictObject({ is: z.literal('value'), characteristic: name.optional(), attributes: attributes.optional() })
      .meta({ description: 'The measured value; in wide layout that of a characteristic, which has the name of the column when left out' }),
    z
      .strictObject({ is: z.literal('attribute'), of: z.enum(['measurement', 'part', 'characteristic']), key: attributeKey })
      .meta({ description: 'An attribute; one of the characteristic only in long layout' }),
    z.strictObject({ is: z.literal('nothing') }).meta({ description: 'The column is left out' }),
  ])
  .meta({ description: 'What a column holds' });

/** Contents of the columns of a table, and how it is written. Every member may be left out. */
export const tableMappingSchema = z
  .strictObject({
    $schema: z.string().optional(),
    columns: z.record(name, columnSchema).optional().meta({
      description:
        'What the columns hold, by their names in the header row. The second column with a name is `name (2)`; one without a name is `#` with its number, such as `#5`',
    }),
    otherColumns: z.enum(['found', 'values', 'nothing']).optional().meta({
      description: 'Columns that `columns` does not name: found by their names (default), values of characteristics, or left out',
    }),
    part: name
      .optional()
      .meta({ description: 'The part of rows that name none: a name, or a path such as `/Line/Pump`; that of `partPath` when left out' }),
    separator: z.enum([',', ';', '\t', '|']).optional().meta({ description: 'Between the fields of CSV; found by trying when left out' }),
    decimal: z.enum([',', '.']).optional().meta({
      description: 'Decimal separator; either one when left out, and numbers that may have a decimal or a thousands separator are refused',
    }),
    dateOrder: z.enum(DATE_ORDERS).optional().meta({
      description: 'Order of the dates with slashes; found in the dates of the table when left out',
    }),
    encoding: z.string().refine(isEncoding, 'must be an encoding such as utf-8, windows-1250 or gbk').optional().meta({
      description: 'Encoding of CSV, a label of TextDecoder; found when left out: UTF-8, UTF-16 with a byte order mark, else Windows-1252',
    }),
    headerRow: z
      .int()
      .min(1)
      .max(1000)
      .optional()
      .meta({ description: 'Number of the row with the names of the columns; 1 when left out' }),
    dataRow: z.int().min(2).max(1001).optional().meta({
      description: 'Number of the first row with values; the one below the names when left out. Rows between, such as units, are left out',
    }),
    sheet: text.optional().meta({ description: 'Name of the Excel sheet; the first one when left out' }),
  })
  .meta({ id: 'TableMapping', title: 'What the columns of a table hold', description: 'Mapping of CSV and Excel files for imports' });
export type TableMapping = z.infer<typeof tableMappingSchema>;
export type ColumnMapping = z.infer<typeof columnSchema>;
