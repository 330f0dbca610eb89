import { createHash, randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { asSent, type WireRequest } from '@sinebar/testing/wire-requests';
import fc from 'fast-check';

export interface MalformedContext {
  /** A part with files that are no images, under the keys 0 to 2. */
  part: string;
}

export interface MalformedRequest extends WireRequest {
  mistake: string;
  statuses: readonly number[];
}

export const FILE_BYTES = 20;
export const MALFORMED_SETTINGS = { SINEBAR_MAX_FILE_BYTES: '2000', SINEBAR_ALLOWED_FILE_NAMES: '*.txt,*.png' };

type Headers = Record<string, string>;
type Made = fc.Arbitrary<MalformedRequest>;

const BASE = '/rawDataServiceRest';
const UPLOAD: Headers = { 'Content-Type': 'text/plain', 'Content-Disposition': '"a.txt"' };
const JSON_TYPE: Headers = { 'Content-Type': 'application/json' };
const CONTENT = 'what is uploaded';

/** A word that is no number, uuid, keyword or list. */
const word = fc.stringMatching(/^[qvxzäß~]{1,8}$/);
const uuid = fc.constant(0).map(() => randomUUID() as string);
const notUuid = fc.oneof(
  word,
  fc.constantFrom('0', 'null', '00000000-0000-0000-0000-00000000000g', '*', "'; DROP TABLE raw_data_object; --", '%00', '..%2f..', '{}'),
  uuid.map((text) => text.slice(1)),
  uuid.map((text) => `${text}0`),
  uuid.map((text) => `${text}|${text}`),
);
const notValueUuid = fc.oneof(
  uuid,
  uuid.map((text) => `${text}|`),
  uuid.map((text) => `|${text}`),
  fc.tuple(uuid, uuid).map(([a, b]) => `${a}|${b}|${a}`),
  fc.tuple(uuid, uuid).map(([a, b]) => `${a},${b}`),
  fc.tuple(uuid, word).map(([a, b]) => `${a}|${b}`),
);
const notEntity = fc.oneof(
  word,
  fc.constantFrom('catalog', 'catalogs', 'partss', 'parts,values', '%2fpart', '1', 'constructor', '__proto__'),
);
const notKey = fc.oneof(
  word,
  fc.constantFrom('-2', '1.5', '1e3', '2147483648', '99999999999999999999', '0x10', '１', '+1', '%20', '{0}', '%00'),
);
const noSuchKey = fc.integer({ min: 3, max: 2 ** 31 - 1 }).map(String);
const pastDate = fc.constantFrom('Mon, 01 Jan 2001 00:00:00 GMT', 'Monday, 01-Jan-01 00:00:00 GMT', 'Mon Jan  1 00:00:00 2001');
const otherEtag = fc.constantFrom('"x"', 'W/"x"', '"00000000000000000000000000000000-0"', '"a", "b"', '""');

/** Conditions that fail for every file. */
const failingConditions: fc.Arbitrary<Headers> = fc.oneof(
  otherEtag.map((etag) => ({ 'If-Match': etag })),
  pastDate.map((date) => ({ 'If-Unmodified-Since': date })),
  fc.constantFrom('*', ' * ').map((tags) => ({ 'If-None-Match': tags })),
);
/** Those of them that GET checks. */
const failingReads = failingConditions.filter((condition) => condition['If-None-Match'] === undefined);

const notFilter = fc.oneof(
  fc.constantFrom(
    "FileName eq 'a",
    "FileName eq a'",
    'FileName',
    "FileName like ('a')",
    "Length eq 'a'",
    "Length like '1'",
    'Length in 1',
    'Length in (1',
    "Created gt '2024-13-01T00:00:00Z'",
    "Created gt '-1x'",
    "LastModified lt '-99999999999999999999d'",
    "MD5 eq 'x'",
    'true and',
    'not',
    '()',
    '((true)',
    'true)',
    'Length eq 1 Length eq 2',
    "Name eq 'a'",
    "FileName is 'a'",
    "FileName eq 'a\u0000b'",
    `${'('.repeat(500)}true${')'.repeat(500)}`,
    `${'not '.repeat(2000)}true`,
  ),
  word.map((text) => `${text} eq '${text}'`),
  word.map((text) => `Length eq ${text}`),
  word.map((text) => `FileName ${text} 'a'`),
);

function request(
  method: string,
  path: string,
  mistake: string,
  statuses: readonly number[],
  headers: Headers = {},
  body?: string | Buffer,
): MalformedRequest {
  return { method, path: asSent(`${BASE}/${path}`), headers, body, mistake, statuses };
}

/** Generates requests of every route, each with one mistake. */
export function malformedRequests({ part }: MalformedContext): Made {
  const good = `part/${part}`;
  return fc.oneof(
    { weight: 4, arbitrary: addresses(good) },
    { weight: 5, arbitrary: uploads(good) },
    { weight: 3, arbitrary: updates(good) },
    { weight: 4, arbitrary: listings() },
    { weight: 2, arbitrary: downloads(good) },
    { weight: 2, arbitrary: deletions(good) },
    { weight: 1, arbitrary: methods(good) },
  );
}

/** Every route that names a target, with a valid request. */
const BY_TARGET: readonly [method: string, path: (target: string, key: string) => string, headers: Headers, body?: string][] = [
  ['GET', (target) => `rawDataInformation/${target}`, {}],
  ['GET', (target) => `rawData/${target}`, {}],
  ['GET', (target, key) => `rawData/${target}/${key}`, {}],
  ['GET', (target, key) => `rawData/${target}/${key}/thumbnail`, {}],
  ['POST', (target) => `rawData/${target}`, UPLOAD, CONTENT],
  ['POST', (target, key) => `rawData/${target}/${key}`, UPLOAD, CONTENT],
  ['PUT', (target, key) => `rawData/${target}/${key}`, UPLOAD, CONTENT],
  ['PUT', (target, key) => `rawDataInformation/${target}/${key}`, JSON_TYPE, '{"fileName":"b.txt"}'],
  ['DELETE', (target) => `rawData/${target}`, {}],
  ['DELETE', (target, key) => `rawData/${target}/${key}`, {}],
];

function addresses(good: string): Made {
  const [, known = ''] = good.split('/');
  return fc.constantFrom(...BY_TARGET).chain(([method, path, headers, body]) => {
    const asked = (target: string, key: string, mistake: string, ...statuses: number[]) =>
      request(method, path(target, key), mistake, statuses, headers, body);
    const hasKey = path('', 'KEY').includes('KEY');
    return fc.oneof(
      notUuid.map((text) => asked(`part/${text}`, '0', `the uuid ${text}`, 400, 404)),
      notValueUuid.map((text) => asked(`value/${text}`, '0', `the compound identifier ${text}`, 400)),
      notEntity.map((text) => asked(`${text}/${known}`, '0', `the entity ${text}`, 404)),
      uuid.map((text) => asked(`part/${text}`, '0', 'a part that is not there', 404)),
      fc.constantFrom('characteristic', 'measurement').map((entity) => asked(`${entity}/${known}`, '0', 'another entity', 404)),
      uuid.map((text) => asked(`value/${known}|${text}`, '0', 'a value that is not there', 404)),
      ...(hasKey ? [notKey.map((key) => asked(good, key, `the key ${key}`, 400))] : []),
    );
  });
}

function uploads(good: string): Made {
  const address = fc.constantFrom<[string, string]>(
    ['POST', `rawData/${good}`],
    ['POST', `rawData/${good}/0`],
    ['PUT', `rawData/${good}/1`],
    ['POST', `rawData/${good}/-1`],
  );
  const wrong = (mistake: fc.Arbitrary<[what: string, headers: Headers, statuses: number[], body?: string | Buffer]>) =>
    fc.tuple(address, mistake).map(([[method, path], [what, headers, statuses, body = CONTENT]]) => {
      const all = Object.fromEntries(Object.entries({ ...UPLOAD, ...headers }).filter(([, value]) => value !== 'MISSING'));
      return request(method, path, what, statuses, all, body);
    });
  const header = (name: string, values: fc.Arbitrary<string>, ...statuses: number[]) =>
    wrong(values.map((value) => [`${name}: ${value}`, { [name]: value }, statuses]));
  const badNames = fc.constantFrom(
    ...['MISSING', '', 'attachment', 'attachment; filename=""', '" "', '"a.exe"', '"txt"', '=?utf-8?B?AAAA?='],
    ...[
      "attachment; filename*=UTF-8''a%0Ab.txt",
      "attachment; filename*=UTF-8''a%00.txt",
      `"${'x'.repeat(2000)}.txt"`,
      'attachment; filename*=x',
    ],
  );
  return fc.oneof(
    header('Content-Disposition', badNames, 400),
    header(
      'Content-Type',
      fc.oneof(fc.constantFrom('', 'text', 'text/', '/plain', 'a/b/c', `text/${'x'.repeat(500)}`), word.map(latin1)),
      400,
    ),
    header(
      'Content-Type',
      fc.constantFrom(
        'multipart/form-data',
        'Multipart/Form-Data; boundary=x',
        '"multipart/form-data"',
        'application/x-www-form-urlencoded',
      ),
      415,
    ),
    header(
      'Content-MD5',
      fc.oneof(fc.constantFrom('abc', '0', `${'0'.repeat(31)}1`, 'vfawarMBqArlUCEIW4IDkw==', 'x'.repeat(24)), word.map(latin1)),
      400,
    ),
    header('Content-Encoding', fc.constantFrom('br', 'zstd', 'what', 'gzip, gzip'), 415),
    header('Content-Encoding', fc.constantFrom('gzip', 'deflate'), 400),
    wrong(
      fc.constant([
        'a body that is too large when it is decompressed',
        { 'Content-Encoding': 'gzip' },
        [413],
        gzipSync('x'.repeat(100_000)),
      ]),
    ),
    wrong(fc.constant(['a gzip body that ends early', { 'Content-Encoding': 'gzip' }, [400], gzipSync('x'.repeat(1500)).subarray(0, 20)])),
    wrong(fc.integer({ min: 2001, max: 50_000 }).map((size) => [`${size} bytes`, {}, [413], 'x'.repeat(size)])),
    wrong(fc.string({ minLength: 1 }).map((text) => ['the checksum of something else', { 'Content-MD5': md5(`${text}!`) }, [400], text])),
    noSuchKey.map((key) => request('PUT', `rawData/${good}/${key}`, 'PUT of what is not there', [404], UPLOAD, CONTENT)),
    fc.constant(request('PUT', `rawData/${good}/-1`, 'PUT without a key', [400], UPLOAD, CONTENT)),
    fc
      .tuple(fc.constantFrom('POST', 'PUT'), failingConditions)
      .map(([method, condition]) =>
        request(method, `rawData/${good}/1`, JSON.stringify(condition), [412], { ...UPLOAD, ...condition }, CONTENT),
      ),
    fc
      .tuple(noSuchKey, otherEtag)
      .map(([key, etag]) =>
        request('POST', `rawData/${good}/${key}`, `If-Match: ${etag}`, [412], { ...UPLOAD, 'If-Match': etag }, CONTENT),
      ),
  );
}

function updates(good: string): Made {
  const put = (body: string | Buffer, mistake: string, statuses: readonly number[] = [400], headers = JSON_TYPE, key = '0') =>
    request('PUT', `rawDataInformation/${good}/${key}`, mistake, statuses, headers, body);
  const member = (name: string, value: unknown) => put(JSON.stringify({ [name]: value }), `${name} ${JSON.stringify(value)}`);
  const noText = fc.constantFrom<unknown>(true, 0, -1.5, [], {}, ['a.txt'], { a: 1 });
  return fc.oneof(
    fc.tuple(fc.constantFrom('fileName', 'mimeType', 'FILENAME'), noText).map(([name, value]) => member(name, value)),
    fc
      .constantFrom('', ' ', 'a.exe', 'a\n.txt', 'a\u0000.txt', '\ud83d.txt', 'a\u2028.txt', `${'x'.repeat(1000)}.txt`)
      .map((name) => member('fileName', name)),
    fc
      .oneof(fc.constantFrom('', 'text', 'text/', 'a/b/c', 'text/plain\r\nX: y', `a/${'x'.repeat(300)}`), word)
      .map((type) => member('mimeType', type)),
    fc
      .constantFrom('', '{', 'null', '[]', '"a.txt"', '1', '{"fileName"', '{"fileName":"b.txt"', '['.repeat(100))
      .map((text) => put(text, `the body ${text.slice(0, 20)}`)),
    fc
      .constantFrom('text/html', 'application/xml', 'multipart/form-data')
      .map((type) => put('{"fileName":"b.txt"}', type, [415], { 'Content-Type': type })),
    failingConditions.map((condition) => put('{"fileName":"b.txt"}', JSON.stringify(condition), [412], { ...JSON_TYPE, ...condition })),
    noSuchKey.map((key) => put('{"fileName":"b.txt"}', 'a key that is not there', [404], JSON_TYPE, key)),
  );
}

function listings(): Made {
  const address = fc.constantFrom(
    'rawDataInformation/part',
    'rawDataInformation/Value',
    'rawData/part',
    'rawData/measurements',
    'rawDataInformation/characteristic',
  );
  const query = (values: fc.Arbitrary<string>, name: string) =>
    fc
      .tuple(address, values)
      .map(([path, value]) => request('GET', `${path}?${name}=${encodeURIComponent(value)}`, `${name} ${value.slice(0, 60)}`, [400]));
  const notList = fc.oneof(
    word,
    fc.tuple(uuid, word).map(([a, b]) => `{${a},${b}}`),
    uuid.map((text) => `{${text}`),
    fc.constantFrom('{', '}', '{{}', 'a,b', '%'),
  );
  return fc.oneof(
    { weight: 3, arbitrary: query(notFilter, 'filter') },
    { weight: 2, arbitrary: query(notList, 'uuids') },
    fc
      .tuple(notEntity, fc.constantFrom('rawDataInformation', 'rawData'))
      .map(([entity, base]) => request('GET', `${base}/${entity}`, `the entity ${entity}`, [404])),
    fc
      .tuple(address, fc.constantFrom('filter=%', 'filter=%zz', 'uuids=%ff', 'filter=%c3%28'))
      .map(([path, text]) => request('GET', `${path}?${text}`, text, [400])),
  );
}

function downloads(good: string): Made {
  const at = (key: string, mistake: string, statuses: readonly number[], headers: Headers = {}, rest = '') =>
    request('GET', `rawData/${good}/${key}${rest}`, mistake, statuses, headers);
  return fc.oneof(
    noSuchKey.map((key) => at(key, 'a key that is not there', [404])),
    fc
      .constantFrom(`bytes=${FILE_BYTES}-`, 'bytes=99999999-', 'bytes=-0', 'bytes=4294967296-4294967297')
      .map((range) => at('0', range, [416], { Range: range })),
    failingReads.map((condition) => at('0', JSON.stringify(condition), [412], { ...condition, Range: 'bytes=99999999-' })),
    fc
      .tuple(fc.oneof(word, fc.constantFrom('0', '%00', 'x'.repeat(32), '0'.repeat(33))), fc.constantFrom('', '/thumbnail'))
      .map(([text, rest]) => at('0', `expectedMd5 ${text}`, [400], {}, `${rest}?expectedMd5=${asSent(text)}`)),
    fc.constantFrom('0', '1', '2', '7').map((key) => at(key, 'no thumbnail', [404], {}, '/thumbnail')),
    word.map((text) => at('0', 'an address that names nothing', [404], {}, `/${asSent(text)}`)),
  );
}

function deletions(good: string): Made {
  return fc.oneof(
    noSuchKey.map((key) => request('DELETE', `rawData/${good}/${key}`, 'a key that is not there', [404])),
    fc.constant(request('DELETE', `rawData/${good}/-1`, 'no key', [400, 404])),
    fc
      .tuple(fc.constantFrom('', '/0', '/1', '/2'), failingConditions)
      .map(([key, condition]) => request('DELETE', `rawData/${good}${key}`, JSON.stringify(condition), [412], condition)),
    // A typing error must not become "delete all".
    fc
      .tuple(fc.constantFrom('', '/0'), fc.constantFrom('key=7', 'uuids={}', 'filter=false', 'Key=', 'x'))
      .map(([key, text]) => request('DELETE', `rawData/${good}${key}?${text}`, `the parameter ${text}`, [400])),
  );
}

function methods(good: string): Made {
  const wrong: [string, string][] = [
    ...['PATCH', 'POST', 'DELETE'].map((method): [string, string] => [method, `rawDataInformation/${good}`]),
    ...['PATCH', 'POST', 'DELETE', 'GET'].map((method): [string, string] => [method, `rawDataInformation/${good}/0`]),
    ...['PATCH', 'PUT'].map((method): [string, string] => [method, `rawData/${good}`]),
    ...['PUT', 'DELETE', 'PATCH'].map((method): [string, string] => [method, 'rawData/part']),
    ...['PUT', 'DELETE', 'POST'].map((method): [string, string] => [method, `rawData/${good}/0/thumbnail`]),
    ...['PUT', 'DELETE', 'POST'].map((method): [string, string] => [method, 'serviceInformation']),
  ];
  return fc.constantFrom(...wrong).map(([method, path]) => request(method, path, method, [405], JSON_TYPE, '{}'));
}

/** Converts a text to the form in which Node accepts it in a header. */
function latin1(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}

function md5(text: string): string {
  return createHash('md5').update(text).digest('base64');
}
