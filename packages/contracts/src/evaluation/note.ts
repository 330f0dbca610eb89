import { z } from 'zod';

const time = z.string().describe('ISO 8601, UTC');

/** What somebody has written about a part or characteristic, one of its measurements, or a time. */
export const noteSchema = z
  .object({
    uuid: z.string(),
    partUuid: z.string().describe('The part, or the one of the characteristic'),
    characteristicUuid: z.string().optional().describe('Absent for a note about the part'),
    measurementUuid: z.string().optional(),
    from: time.optional(),
    to: time.optional().describe('Absent for a time that goes on'),
    text: z.string(),
    cause: z.int().optional().describe('Key of an entry of the catalog of causes, which has the attribute 4391'),
    causeText: z.string().optional().describe('Text of the entry when the note was written'),
    user: z.string().optional().describe('Who wrote it; absent without sign-in, and where names are not shown'),
    time: time.describe('When it was written'),
    modifiedBy: z.string().optional(),
    modified: time.optional().describe('Absent while it is as it was written'),
  })
  .meta({ id: 'Note' });
export type Note = z.infer<typeof noteSchema>;

export const noteListSchema = z.array(noteSchema);
