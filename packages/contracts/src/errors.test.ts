import { describe, expect, it } from '@jest/globals';
import { ERROR_STATUS, reasonPhraseOf, type ErrorCode } from './errors.ts';

const table = Object.entries(ERROR_STATUS) as [ErrorCode, number][];

describe('error codes', () => {
  it.each(table)('send %s with a status that clients know: %d [D10.7]', (_, status) => {
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThanOrEqual(504);
  });

  it.each(table.filter(([, status]) => status >= 500))('have a short ASCII sentence as the reason phrase of %s [D10.7]', (code) => {
    expect(reasonPhraseOf(code)).toMatch(/^[A-Z][\x20-\x7e]{9,59}$/);
  });

  it.each(table.filter(([, status]) => status < 500))('leave the usual reason phrase for %s', (code) => {
    expect(reasonPhraseOf(code)).toBeUndefined();
  });
});
