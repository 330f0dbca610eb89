import { describe, expect, it } from '@jest/globals';
import { etagOf, isNotModified, requireMatch, selectRange } from './preconditions.js';

const lastModified = new Date('2026-11-20T10:00:00.250Z');
const md5 = 'bdf6b06ab301a80ae55021085b820393';
const etag = etagOf({ md5, lastModified });
const current = { etag, lastModified };

describe('conditional requests', () => {
  it('have an ETag that changes with the bytes and with the time', () => {
    expect(etag).toMatch(/^"bdf6b06ab301a80ae55021085b820393-[0-9a-f]+"$/);
    expect(etagOf({ md5, lastModified: new Date(lastModified.getTime() + 1) })).not.toBe(etag);
    expect(etagOf({ md5: md5.replace('b', 'c'), lastModified })).not.toBe(etag);
  });

  it.each([etag, `W/${etag}`, '*', `"other", ${etag}`, `"other",W/${etag} , "x"`, etag.slice(1, -1)])(
    'answer 304 for If-None-Match %s',
    (ifNoneMatch) => {
      expect(isNotModified({ 'if-none-match': ifNoneMatch }, current)).toBe(true);
    },
  );

  it.each(['"other"', '', `"x${etag.slice(1)}`, 'W/"other", "more"'])('send the file for If-None-Match %j', (ifNoneMatch) => {
    expect(isNotModified({ 'if-none-match': ifNoneMatch }, current)).toBe(false);
  });

  it('ask If-Modified-Since only without If-None-Match', () => {
    const ifModifiedSince = 'Fri, 20 Nov 2026 10:00:00 GMT';
    expect(isNotModified({ 'if-modified-since': ifModifiedSince }, current)).toBe(true);
    expect(isNotModified({ 'if-modified-since': 'Fri, 20 Nov 2026 09:59:59 GMT' }, current)).toBe(false);
    expect(isNotModified({ 'if-modified-since': ifModifiedSince, 'if-none-match': '"other"' }, current)).toBe(false);
    expect(isNotModified({ 'if-modified-since': 'yesterday' }, current)).toBe(false);
  });

  it('hold a change against If-Match strongly', () => {
    expect(() => requireMatch(undefined, etag)).not.toThrow();
    expect(() => requireMatch('*', etag)).not.toThrow();
    expect(() => requireMatch(`"x", ${etag}`, etag)).not.toThrow();
    expect(() => requireMatch(`W/${etag}`, etag)).toThrow('has changed');
    expect(() => requireMatch('"x"', etag)).toThrow('has changed');
  });
});

describe('ranges', () => {
  const select = (range: string, sizeBytes = 100, ifRange?: string) => selectRange({ range, ifRange }, current, sizeBytes);

  it.each([
    ['bytes=0-0', { first: 0, last: 0 }],
    ['bytes=10-19', { first: 10, last: 19 }],
    ['bytes=90-', { first: 90, last: 99 }],
    ['bytes=90-5000', { first: 90, last: 99 }],
    ['bytes=-1', { first: 99, last: 99 }],
    ['bytes=-1000', { first: 0, last: 99 }],
    ['Bytes = 1-2', { first: 1, last: 2 }],
  ])('read %s', (range, expected) => {
    expect(select(range)).toEqual(expected);
  });

  it.each(['', 'bytes=', 'bytes=-', 'bytes=5-4', 'bytes=a-b', 'lines=1-2', 'bytes=0-1,5-6', 'bytes=1.5-2'])(
    'send the whole file for %j',
    (range) => {
      expect(select(range)).toBeUndefined();
    },
  );

  it.each([
    ['bytes=100-', 100],
    ['bytes=-0', 100],
    ['bytes=0-', 0],
    ['bytes=-5', 0],
  ])('refuse %s of %i bytes', (range, size) => {
    expect(() => select(range, size)).toThrow(expect.objectContaining({ status: 416, headers: { 'Content-Range': `bytes */${size}` } }));
  });

  it('apply only while If-Range names the current state', () => {
    expect(select('bytes=0-1', 100, etag)).toEqual({ first: 0, last: 1 });
    expect(select('bytes=0-1', 100, 'Fri, 20 Nov 2026 10:00:00 GMT')).toEqual({ first: 0, last: 1 });
    expect(select('bytes=0-1', 100, `W/${etag}`)).toBeUndefined();
    expect(select('bytes=0-1', 100, '"other"')).toBeUndefined();
    expect(select('bytes=0-1', 100, 'Fri, 20 Nov 2026 09:00:00 GMT')).toBeUndefined();
  });
});
