import { describe, expect, it } from '@jest/globals';
import { formatTraceparent, parseTraceparent } from './tracing.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const SPAN = 'b7ad6b7169203331';

describe('traceparent', () => {
  it.each([
    [`00-${TRACE}-${SPAN}-01`, `00-${TRACE}-${SPAN}-01`],
    [`00-${TRACE}-${SPAN}-00`, `00-${TRACE}-${SPAN}-00`],
    // A later version is read up to the part that version 00 defines.
    [`cc-${TRACE}-${SPAN}-09-what-comes-later`, `00-${TRACE}-${SPAN}-09`],
  ])('%s is read', (text, written) => {
    const context = parseTraceparent(text);
    expect(context).toMatchObject({ traceId: TRACE, spanId: SPAN });
    expect(context && formatTraceparent(context)).toBe(written);
  });

  it.each([
    undefined,
    '',
    [`00-${TRACE}-${SPAN}-01`, `00-${TRACE}-${SPAN}-01`],
    `ff-${TRACE}-${SPAN}-01`,
    `00-${'0'.repeat(32)}-${SPAN}-01`,
    `00-${TRACE}-${'0'.repeat(16)}-01`,
    `00-${TRACE.toUpperCase()}-${SPAN}-01`,
    `00-${TRACE}-${SPAN}`,
    `00-${TRACE}-${SPAN}-1`,
    `00-${TRACE}-${SPAN}-01*/;DROP TABLE outbox`,
    `00-${TRACE}-${SPAN}-01\n`,
  ])('%j is invalid', (text) => {
    expect(parseTraceparent(text)).toBeUndefined();
  });
});
