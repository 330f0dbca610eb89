import { describe, expect, it } from '@jest/globals';
import { mediaTypeOf, refuseForm } from './file-body.ts';

describe('the body of a file', () => {
  it.each([
    [undefined, ''],
    ['', ''],
    ['Text/Plain', 'text/plain'],
    ['text/plain; charset=utf-8', 'text/plain'],
    [' "text/plain; charset=\\"utf-8\\"" ', 'text/plain'],
    ['multipart/form-data;boundary=x', 'multipart/form-data'],
  ])('with Content-Type %j has the media type %j', (header, type) => {
    expect(mediaTypeOf(header)).toBe(type);
  });

  it.each([
    'multipart/form-data',
    'Multipart/Form-Data; boundary=x',
    '"multipart/form-data; boundary=x"',
    'multipart/form-data ;boundary=x',
  ])('is no form: %s [D6.10]', (type) => {
    expect(() => refuseForm(type)).toThrow(
      expect.objectContaining({ status: 415, message: expect.stringContaining('Send the file itself as the body') }),
    );
  });

  it.each([undefined, 'multipart/mixed; boundary=x', 'multipart/form-database', 'application/x-www-form-urlencoded'])('may be %j', (type) =>
    expect(() => refuseForm(type)).not.toThrow(),
  );
});
