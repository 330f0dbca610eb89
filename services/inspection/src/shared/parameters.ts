import {
  parseAttributeSelection,
  parseSearchCondition,
  parseUnmarkedPath,
  storedPartPath,
  type AttributeSelection,
} from '@sinebar/query-language';
import { grammarParameter } from '@sinebar/http';
import { z } from 'zod';

/** `partPath` as a stored path. */
export const partPathParameter = grammarParameter((text) => storedPartPath(parseUnmarkedPath(text)));

export const attributeSelectionParameter = grammarParameter(parseAttributeSelection);
export const searchConditionParameter = grammarParameter(parseSearchCondition);

/** Comments are kept as they are, up to this many characters. */
const MAX_COMMENT_LENGTH = 4000;
export const commentSchema = z
  .string('must be a text')
  .max(MAX_COMMENT_LENGTH, `is longer than ${MAX_COMMENT_LENGTH} characters`)
  // It has no UTF-8 form: another text would be stored than the one sent.
  .refine((text) => !/\p{Surrogate}/u.test(text), 'contains half of a surrogate pair')
  .nullish();

export const selectionOf = (selection: AttributeSelection | undefined): AttributeSelection => selection ?? 'all';
