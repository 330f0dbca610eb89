import { quoted } from '@sinebar/http';
import { isEncoding, tableMappingSchema } from '@sinebar/exchange';
import { z } from 'zod';

/** A label of an encoding, such as `gbk`. */
export const encodingParameter = z.string().transform((text, context) => {
  if (isEncoding(text)) return text;
  context.addIssue({ code: 'custom', message: `must be an encoding such as utf-8, windows-1250, gbk or shift_jis, not ${quoted(text)}` });
  return z.NEVER;
});

/** A mapping of columns as JSON; every problem is reported with its pointer in it. */
export const mappingParameter = z.string().transform((text, context) => {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    context.addIssue({ code: 'custom', message: `must be a JSON object such as {"part":"Shaft"}, not ${quoted(text)}` });
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
