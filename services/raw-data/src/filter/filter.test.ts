import { describe, expect, it } from '@jest/globals';
import { filterCondition, likePattern } from './filter-condition.ts';
import { readDate } from './filter-date.ts';
import { parseFilter } from './filter-parser.ts';

const NOW = new Date('2026-03-31T12:00:00.000Z');
const compile = (filter: string) => filterCondition(parseFilter(filter, NOW));

describe('filter language', () => {
  it.each([
    [
      `FileName eq 'a.txt'`,
      `(left(lower(object.file_name), 100) COLLATE "C" = left(lower($1::text), 100) AND lower(object.file_name) COLLATE "C" = lower($2::text))`,
      ['a.txt', 'a.txt'],
    ],
    [
      `FileName lt 'b'`,
      `(left(lower(object.file_name), 100) COLLATE "C" <= left(lower($1::text), 100) AND lower(object.file_name) COLLATE "C" < lower($2::text))`,
      ['b', 'b'],
    ],
    [`filename NE 'it''s'`, `(lower(object.file_name) COLLATE "C" <> lower($1::text))`, [`it's`]],
    [`MIMETYPE like 'image/*'`, `(lower(object.mime_type) COLLATE "C" LIKE lower($1::text))`, ['image/%']],
    [`md5 like null or Length ge 1`, '(FALSE OR (object.size_bytes >= $1::bigint))', ['1']],
    [`Length ge 10.5`, '(object.size_bytes > $1::bigint)', ['10']],
    [`Length lt 10.50`, '(object.size_bytes <= $1::bigint)', ['10']],
    [`Length gt -0.5`, '(object.size_bytes > $1::bigint)', ['-1']],
    [`Length le +7.0`, '(object.size_bytes <= $1::bigint)', ['7']],
    [`Length eq 1.5 or Length ne 1.5`, '(FALSE OR TRUE)', []],
    [`Length lt 9223372036854775808 and Length ge 99999999999999999999`, '(TRUE AND FALSE)', []],
    [`Length gt -99999999999999999999`, '(object.size_bytes > $1::bigint)', ['-1']],
    [`Created lt '2026-01-01'`, '(object.created < $1::timestamptz)', ['2026-01-01T00:00Z']],
    [`LastModified gt 2026-01-01T10:00:00+02:00`, '(object.last_modified > $1::timestamptz)', ['2026-01-01T10:00:00+02:00']],
    [`LastModified gt '-2h'`, '(object.last_modified > $1::timestamptz)', ['2026-03-31T10:00:00.000Z']],
    [`Length in (1, 2)`, '((object.size_bytes = $1::bigint) OR (object.size_bytes = $2::bigint))', ['1', '2']],
    [`Length notin () or FileName in () or MimeType in (null) or MD5 in ()`, '(NOT FALSE OR FALSE OR FALSE OR FALSE)', []],
    [`MimeType in ('a', null, 'b')`, '(lower(object.mime_type) COLLATE "C" IN (lower($1::text), lower($2::text)))', ['a', 'b']],
    [`FileName eq null`, 'FALSE', []],
    [`FileName ne null and true`, '(TRUE AND TRUE)', []],
    [`not (true or false) and not false`, '(NOT (TRUE OR FALSE) AND NOT FALSE)', []],
    [`true or false and false`, '(TRUE OR (FALSE AND FALSE))', []],
  ])('reads %s [R41-R46, R48-R58, D6.7]', (filter, text, values) => {
    expect(compile(filter)).toMatchObject({ text, values });
  });

  it('reads checksums in both byte orders [R47, D6.3]', () => {
    const { text, values } = compile(`MD5 ne '6ab0f6bd-01b3-0aa8-e550-21085b820393'`);
    expect(text).toBe(`NOT (object.md5 IN (decode($1, 'hex'), decode($2, 'hex')))`);
    expect(values).toContain('bdf6b06ab301a80ae55021085b820393');
  });

  it.each([
    ['', 'expected MimeType', 1],
    ['Name eq 1', 'expected MimeType', 1],
    ['Length is 1', 'expected eq', 8],
    [`Length eq '1'`, 'expected a number', 11],
    ['Length eq 1 Length eq 2', 'expected "and"', 13],
    ['Length eq 1 and', 'expected MimeType', 16],
    ['(Length eq 1', 'expected ")"', 13],
    [`FileName eq 'abc`, 'no closing quotation mark', 13],
    ['FileName eq abc', 'expected a text', 13],
    ['FileName in 1', 'expected "("', 13],
    [`FileName in ('a',)`, 'expected a text', 18],
    ['Length like 1', 'like compares', 8],
    [`MD5 lt 'x'`, 'a checksum is compared', 5],
    [`MD5 eq 'x'`, 'is not a checksum', 8],
    [`Created gt 'yesterday'`, 'is not a date', 12],
    [`Created gt '2026-02-30'`, 'is not a date', 12],
    [`Created gt '2026-01-01T00:00:00 01:00'`, 'a + in an address is read as a blank, so write %2B', 12],
    ['Created gt 2026-01-01T00:00:00.5 01:00 and true', 'a + in an address is read as a blank, so write %2B', 12],
    ['LastModified in (2026-01-01T00:00 01:00)', 'so write %2B', 18],
    ['Length eq 1; DROP TABLE x', 'is neither', 12],
    ['Length eq 1e5', 'is neither', 11],
    ['not '.repeat(60) + 'true', 'at most 50 deep', 201],
    ['true or '.repeat(3000) + 'true', 'at most 16384 characters', 16385],
  ])('refuses %j and names the position [R41, R50, R52, R53, R57, R58]', (filter, message, character) => {
    expect(() => parseFilter(filter, NOW)).toThrow(message);
    expect(() => parseFilter(filter, NOW)).toThrow(`(at character ${character})`);
  });

  it('translates wildcards to those of SQL [R50]', () => {
    expect(likePattern('a*b?c')).toBe('a%b_c');
    expect(likePattern('100%_\\x')).toBe('100\\%\\_\\\\x');
    expect(likePattern('\\*\\?\\\\')).toBe('*?\\\\');
  });

  it.each([
    ['-90m', '2026-03-31T10:30:00.000Z'],
    ['-1d', '2026-03-30T12:00:00.000Z'],
    ['-1w', '2026-03-24T12:00:00.000Z'],
    ['-1M', '2026-02-28T12:00:00.000Z'],
    ['-25M', '2024-02-29T12:00:00.000Z'],
    ['-2y', '2024-03-31T12:00:00.000Z'],
    ['-3000y', undefined],
    ['-1x', undefined],
    ['2026-02-29', undefined],
    ['2024-02-29T23:59:59.123456789Z', '2024-02-29T23:59:59.123456789Z'],
    ['2024-02-29T24:00Z', undefined],
    ['0000-01-01', undefined],
  ])('reads the date %s [R54, R56]', (text, date) => {
    expect(readDate(text, NOW)).toBe(date);
  });
});
