import { z } from 'zod';

/** A view of the console that somebody has named. */
export const savedViewSchema = z
  .object({
    uuid: z.string(),
    name: z.string(),
    address: z.string().describe('Below the address of the plant, such as `/console/parts/05040c4c-f0af-46b8-810e-30c0c00a379e`'),
    shared: z.boolean().describe('Whether all users see it'),
    own: z.boolean().describe('Whether the reader saved it'),
    user: z.string().optional().describe('Who saved it; absent without sign-in, and where names are not shown'),
    time: z.string().describe('When it was saved, ISO 8601, UTC'),
  })
  .meta({ id: 'SavedView' });
export type SavedView = z.infer<typeof savedViewSchema>;

export const savedViewListSchema = z.array(savedViewSchema);
