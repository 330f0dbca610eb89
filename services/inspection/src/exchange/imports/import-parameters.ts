import { quoted } from '@sinebar/http';
import { isEncoding, tableMappingSchema, type TableMapping } from '@sinebar/exchange';
import { z } from 'zod';

/** A label of an encoding, such as `gbk`. */
export const encodingParameter = z.string().transform((text, context) => {
  if (isEncoding(text)) return text;
  context.addIssue({ code: 'custom', message: `must be an encoding such as utf-8, windows-1250, gbk or shift_jis, not ${quoted(text)}` });
  return z.NEVER;
});

/** Name of a mapping that is kept; it stands in addresses. */
export const mappingName = z
  .string()
  .transform((name) => name.trim().normalize('NFC'))
  .refine((name) => name.length > 0 && name.length <= 100, 'must be a name of 1 to 100 characters')
  // oxlint-disable-next-line no-control-regex -- these are the characters to refuse
  .refine((name) => !/[/\u0000-\u001f\u007f]|\p{Surrogate}/u.test(name), 'must be a name without / and control characters');

/** Mark before the name of a mapping that is kept. */
const NAME_MARK = '@';

/** A mapping of columns as JSON, or `@` with the name of one that is kept; every problem is reported with its pointer in it. */
export const mappingParameter = z.string().transform((text, context): TableMapping | { kept: string } => {
  if (text.startsWith(NAME_MARK)) {
    const name = mappingName.safeParse(text.slice(NAME_MARK.length));
    if (name.success) return { kept: name.data };
    context.addIssue({ code: 'custom', message: `${name.error.issues[0]?.message} behind ${NAME_MARK}` });
    return z.NEVER;
  }
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    context.addIssue({
      code: 'custom',
      message: `must be a JSON object such as {"part":"Shaft"} or @ with the name of a mapping, not ${quoted(text)}`,
    });
    return z.NEVER;
  }
  const mapping = tableMappingSchema.safeParse(json);
  if (mapping.success) return mapping.data;
  for (const { path, message } of mapping.error.issues) {
    const pointer = path.length > 0 ? `${path.join('.')}: ` : '';
    context.addIssue({ code: 'custom', message: `does not fit the schema TableMapping; ${pointer}${message}` });
  }
  return z.NEVER;
});
