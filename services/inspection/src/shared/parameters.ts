import {
  parseAttributeSelection,
  parseSearchCondition,
  parseUnmarkedPath,
  storedPartPath,
  type AttributeSelection,
} from '@sinebar/query-language';
import { grammarParameter } from '@sinebar/http';
import { z } from 'zod';

/** Parses `partPath` into a stored path. */
export const partPathParameter = grammarParameter((text) => storedPartPath(parseUnmarkedPath(text)));

export const attributeSelectionParameter = grammarParameter(parseAttributeSelection);
export const searchConditionParameter = grammarParameter(parseSearchCondition);

/** Most characters of a comment, which is stored unchanged. */
const MAX_COMMENT_LENGTH = 4000;
export const commentSchema = z
  .string('must be a text')
  .max(MAX_COMMENT_LENGTH, `is longer than ${MAX_COMMENT_LENGTH} characters`)
  // Half of a surrogate pair has no UTF-8 form, so the stored text would differ from the one sent.
  .refine((text) => !/\p{Surrogate}/u.test(text), 'contains half of a surrogate pair')
  .nullish();

export const selectionOf = (selection: AttributeSelection | undefined): AttributeSelection => selection ?? 'all';
