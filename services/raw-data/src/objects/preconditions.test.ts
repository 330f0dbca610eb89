import type { IncomingHttpHeaders } from 'node:http';
import type { ServiceError } from '@sinebar/contracts';
import { describe, expect, it } from '@jest/globals';
import { etagOf, isNotModified, requireConditions, selectRange } from './preconditions.ts';

const lastModified = new Date('2026-11-20T10:00:00.250Z');
const md5 = 'bdf6b06ab301a80ae55021085b820393';
const etag = etagOf({ md5, lastModified });
const current = { etag, lastModified };
/** The second of `lastModified`, and the one before. */
const SECOND = 'Fri, 20 Nov 2026 10:00:00 GMT';
const BEFORE = 'Fri, 20 Nov 2026 09:59:59 GMT';

describe('conditional requests', () => {
  it('have an ETag that changes with bytes and time [R74, D6.4]', () => {
    expect(etag).toMatch(/^"bdf6b06ab301a80ae55021085b820393-[0-9a-f]+"$/);
    expect(etagOf({ md5, lastModified: new Date(lastModified.getTime() + 1) })).not.toBe(etag);
    expect(etagOf({ md5: md5.replace('b', 'c'), lastModified })).not.toBe(etag);
  });

  it.each([etag, `W/${etag}`, '*', `"other", ${etag}`, `"other",W/${etag} , "x"`, etag.slice(1, -1)])(
    'answer 304 for If-None-Match %s [R75, D6.4]',
    (ifNoneMatch) => {
      expect(isNotModified({ 'if-none-match': ifNoneMatch }, current)).toBe(true);
    },
  );

  it.each(['"other"', '', `"x${etag.slice(1)}`, 'W/"other", "more"'])('send the file for If-None-Match %j [R75]', (ifNoneMatch) => {
    expect(isNotModified({ 'if-none-match': ifNoneMatch }, current)).toBe(false);
  });

  it('use If-Modified-Since only without If-None-Match', () => {
    expect(isNotModified({ 'if-modified-since': SECOND }, current)).toBe(true);
    expect(isNotModified({ 'if-modified-since': BEFORE }, current)).toBe(false);
    expect(isNotModified({ 'if-modified-since': SECOND, 'if-none-match': '"other"' }, current)).toBe(false);
    expect(isNotModified({ 'if-modified-since': 'yesterday' }, current)).toBe(false);
  });

  it.each([
    'Fri, 20 Nov 2026 12:00:00 +0200',
    '2026-11-20T12:00:00Z',
    'Fri, 20 Nov 2026 10:00:00 GMT, Fri, 20 Nov 2026 11:00:00 GMT',
    '1795168800',
    '',
  ])('ignore the date %j [D6.4]', (date) => {
    expect(isNotModified({ 'if-modified-since': date }, current)).toBe(false);
    expect(() => requireConditions({ 'if-unmodified-since': date }, [current])).not.toThrow();
  });

  it.each<[text: string, headers: IncomingHttpHeaders, outcome: 200 | 304 | 412]>([
    ['If-Match before all others', { 'if-match': '"x"', 'if-none-match': etag }, 412],
    ['If-None-Match after If-Match', { 'if-match': etag, 'if-none-match': etag }, 304],
    ['no If-Unmodified-Since beside If-Match', { 'if-match': etag, 'if-unmodified-since': BEFORE }, 200],
    ['If-Unmodified-Since before If-None-Match', { 'if-unmodified-since': BEFORE, 'if-none-match': etag }, 412],
    ['If-None-Match after If-Unmodified-Since', { 'if-unmodified-since': SECOND, 'if-none-match': etag }, 304],
    ['If-Modified-Since after If-Match', { 'if-match': etag, 'if-modified-since': SECOND }, 304],
    ['If-Modified-Since after If-Unmodified-Since', { 'if-unmodified-since': SECOND, 'if-modified-since': SECOND }, 304],
    ['no If-Modified-Since beside If-None-Match', { 'if-none-match': '"x"', 'if-modified-since': SECOND }, 200],
    ['none of them', {}, 200],
  ])('are read in the order of RFC 9110: %s [D6.4]', (_, headers, outcome) => {
    const read = () => {
      try {
        return isNotModified(headers, current) ? 304 : 200;
      } catch (error) {
        return (error as ServiceError).status;
      }
    };
    expect(read()).toBe(outcome);
  });
});

describe('conditions of changes', () => {
  const other = { etag: '"other-1"', lastModified: new Date(lastModified.getTime() + 60_000) };
  const check =
    (headers: IncomingHttpHeaders, states = [current]) =>
    () =>
      requireConditions(headers, states);

  it('compare If-Match strongly [D6.4]', () => {
    expect(check({})).not.toThrow();
    expect(check({ 'if-match': '*' })).not.toThrow();
    expect(check({ 'if-match': `"x", ${etag}` })).not.toThrow();
    expect(check({ 'if-match': `W/${etag}` })).toThrow('has changed');
    expect(check({ 'if-match': '"x"' })).toThrow(expect.objectContaining({ status: 412, headers: { ETag: etag } }));
  });

  it('read If-Unmodified-Since only without If-Match [D6.4]', () => {
    expect(check({ 'if-unmodified-since': SECOND })).not.toThrow();
    expect(check({ 'if-unmodified-since': BEFORE })).toThrow('since the time');
    expect(check({ 'if-unmodified-since': BEFORE, 'if-match': etag })).not.toThrow();
  });

  it.each([etag, `W/${etag}`, '*', `"x", ${etag}`])('refuse If-None-Match %s while the file is there [D6.4]', (ifNoneMatch) => {
    expect(check({ 'if-none-match': ifNoneMatch })).toThrow(expect.objectContaining({ status: 412 }));
    expect(check({ 'if-none-match': ifNoneMatch }, [])).not.toThrow();
  });

  it('fail without a file only for If-Match [D6.4]', () => {
    expect(check({ 'if-match': '*' }, [])).toThrow(expect.objectContaining({ status: 412, headers: {} }));
    expect(check({ 'if-match': etag }, [])).toThrow('There is no file');
    expect(check({ 'if-unmodified-since': BEFORE }, [])).not.toThrow();
  });

  it('need the tag of every file, and the time of the newest [D6.4]', () => {
    const both = [current, other];
    expect(check({ 'if-match': `${other.etag}, "more", ${etag}` }, both)).not.toThrow();
    expect(check({ 'if-match': '*' }, both)).not.toThrow();
    expect(check({ 'if-match': etag }, both)).toThrow(expect.objectContaining({ status: 412, headers: {} }));
    expect(check({ 'if-unmodified-since': 'Fri, 20 Nov 2026 10:01:00 GMT' }, both)).not.toThrow();
    expect(check({ 'if-unmodified-since': SECOND }, both)).toThrow('since the time');
    expect(check({ 'if-none-match': other.etag }, both)).toThrow('If-None-Match');
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
  ])('are refused with %s of %i bytes', (range, size) => {
    expect(() => select(range, size)).toThrow(expect.objectContaining({ status: 416, headers: { 'Content-Range': `bytes */${size}` } }));
  });

  it('apply only while If-Range matches the current ETag or date [D6.4]', () => {
    expect(select('bytes=0-1', 100, etag)).toEqual({ first: 0, last: 1 });
    expect(select('bytes=0-1', 100, SECOND)).toEqual({ first: 0, last: 1 });
    expect(select('bytes=0-1', 100, `W/${etag}`)).toBeUndefined();
    expect(select('bytes=0-1', 100, '"other"')).toBeUndefined();
    expect(select('bytes=0-1', 100, BEFORE)).toBeUndefined();
    expect(select('bytes=0-1', 100, 'Friday, 20-Nov-26 10:00:00 GMT')).toEqual({ first: 0, last: 1 });
    expect(select('bytes=0-1', 100, '2026-11-20T10:00:00Z')).toBeUndefined();
  });
});
