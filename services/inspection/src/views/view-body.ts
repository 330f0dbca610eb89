import { z } from 'zod';
import { strictMembers, textMember } from '../shared/body-members.ts';

/** Most characters of an address: proxies accept about as many. */
const MAX_ADDRESS = 8000;
const MAX_NAME = 255;

/** The content of a PUT. */
export interface ViewBody {
  name: string;
  address: string;
  shared: boolean;
}

/** Members of a view that a PUT may send back and that the server sets. */
const KEPT = ['uuid', 'own', 'user', 'time'] as const;

export const viewBody = strictMembers({
  name: textMember(MAX_NAME).refine((name) => name.trim() !== '', 'is empty'),
  // Pages of other servers must not stand among the views of a user.
  address: textMember(MAX_ADDRESS).regex(
    /^\/console(?:[/?][!-[\]-~]*)?$/,
    'must be an address of the console such as /console/parts, in ASCII and without spaces or backslashes',
  ),
  shared: z.boolean('must be true or false').default(false),
  ...(Object.fromEntries(KEPT.map((name) => [name, z.unknown().optional()])) as Record<(typeof KEPT)[number], z.ZodOptional<z.ZodUnknown>>),
}).transform(({ name, address, shared }): ViewBody => ({ name, address, shared }));
