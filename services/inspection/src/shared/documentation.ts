import { answers, type AnyRouteDocumentation } from '@sinebar/http';
import { z } from 'zod';

export const PART_UUID = '05040c4c-f0af-46b8-810e-30c0c00a379e';
export const CHARACTERISTIC_UUID = '0f3e8f6e-3a0c-4a0b-9a44-6f2f6f1a2b11';

const CACHED = {
  ETag: { description: 'Changes when the answer does, also with the rights of the caller', example: '"q3dY8Yc3yA1b0u5oW7TnJm4PzRk"' },
};
export const CACHE_CONDITION = {
  'If-None-Match': { description: 'ETags that the client has: 304 when one is still right', example: '"q3dY8Yc3yA1b0u5oW7TnJm4PzRk"' },
};

export const CHANGE_CONDITION = {
  'If-Match': { description: 'ETag that was read: 412 when it is no longer right', example: '"q3dY8Yc3yA1b0u5oW7TnJm4PzRk"' },
};
export const CHANGED = {
  description: 'Done; the answer has no body',
  headers: { ETag: { description: 'Of the new state', example: '"q3dY8Yc3yA1b0u5oW7TnJm4PzRk"' } },
};

/** Documents a cacheable answer, and 304. */
export function cachedAnswers(description: string, schema: z.ZodType, example: unknown): AnyRouteDocumentation['responses'] {
  return { 200: { ...answers.json(description, schema, example), headers: CACHED }, 304: answers.unchanged };
}

/** Largest count that clients can read (spec: decisions.md 3.7). */
export const MAX_COUNT = 2 ** 31 - 1;
export const countSchema = z.object({ count: z.int() }).meta({ id: 'Count' });
