import { Readable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { refuseTooManyRows } from './sheet-limit.ts';

const LIMIT = 1001;
/** Batches of measurements with two values each. */
function batches(count: number) {
  const value = { characteristic: 1, value: '1', attributes: undefined };
  return Readable.from(Array.from({ length: count }, () => [{ values: [value, value] }]));
}

describe('rows of an Excel sheet', () => {
  it('fit as long as the header and a row for each value do', async () => {
    await expect(refuseTooManyRows(batches(500), 'long', LIMIT)).resolves.toBeUndefined();
    await expect(refuseTooManyRows(batches(501), 'long', LIMIT)).rejects.toMatchObject({
      code: 'InvalidRequest',
      message: expect.stringContaining('more than 1,001 rows'),
    });
  });

  it('are one for each measurement in wide layout', async () => {
    await expect(refuseTooManyRows(batches(1000), 'wide', LIMIT)).resolves.toBeUndefined();
    await expect(refuseTooManyRows(batches(1001), 'wide', LIMIT)).rejects.toMatchObject({ code: 'InvalidRequest' });
  });
});
