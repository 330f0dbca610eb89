import type { Sent } from './rest-client.ts';

export interface BadRequest {
  name: string;
  /** @param uuid an existing part without files, which must not be changed */
  request: (uuid: string) => Sent;
  status: number | number[];
  allow?: string[];
}

const PARTS = '/dataServiceRest/parts';
const FILES = '/rawDataServiceRest/rawData/part';
const UNKNOWN_UUID = '11111111-2222-3333-4444-555555555555';
const JSON_TYPE = { 'Content-Type': 'application/json' };

const post = (body: string | Buffer, headers: Record<string, string> = JSON_TYPE): Sent => ({ method: 'POST', path: PARTS, headers, body });
const parts = (name: string, value: unknown, status: BadRequest['status'] = 400): BadRequest => ({
  name: `a POST of parts: ${name}`,
  request: () => post(JSON.stringify(value)),
  status,
});
const emptyName = (path: (uuid: string) => string): BadRequest => ({
  name: `a DELETE with an empty name at its end: ${path('uuid')}`,
  request: (uuid) => ({ method: 'DELETE', path: path(uuid) }),
  status: 400,
});
const bodyOfDeletion = (method: 'DELETE' | 'POST', path: (uuid: string) => string): BadRequest => ({
  name: `a body with ${method} of ${path('uuid')}`,
  request: (uuid) => ({ method, path: path(uuid), headers: JSON_TYPE, body: '["x"]' }),
  status: 400,
});
const upload = (
  name: string,
  path: (uuid: string) => string,
  headers: Record<string, string>,
  status: BadRequest['status'] = 400,
  body = 'x',
): BadRequest => ({
  name: `an upload: ${name}`,
  request: (uuid) => ({
    method: 'POST',
    path: path(uuid),
    headers: {
      'Content-Type': 'text/plain',
      'Content-Disposition': '"a.txt"',
      'Content-Length': String(Buffer.byteLength(body)),
      ...headers,
    },
    body,
  }),
  status,
});
const get = (path: string, status: BadRequest['status']): BadRequest => ({
  name: `GET ${path.slice(0, 90)}`,
  request: () => ({ path }),
  status,
});
const method = (name: string, path: (uuid: string) => string, allow: string[]): BadRequest => ({
  name: `${name} ${path('{uuid}')}`,
  request: (uuid) => ({ method: name, path: path(uuid), headers: JSON_TYPE, body: '[]' }),
  status: 405,
  allow,
});

/** Invalid requests of users and scripts on every route: each gets 4xx with the documented body and changes nothing. */
export const BAD_REQUESTS: BadRequest[] = [
  parts('an object for the list', { uuid: UNKNOWN_UUID, path: 'P:/bad/' }),
  parts('a text for the list', 'parts'),
  parts('null', null),
  parts('numbers in the list', [1, 2]),
  parts('no path', [{ uuid: UNKNOWN_UUID }]),
  parts('no uuid', [{ path: 'P:/bad/' }]),
  parts('a uuid that is none', [{ uuid: 'me', path: 'P:/bad/' }]),
  parts('a number for the uuid', [{ uuid: 7, path: 'P:/bad/' }]),
  parts('a number for the path', [{ uuid: UNKNOWN_UUID, path: 7 }]),
  parts('a path without marker', [{ uuid: UNKNOWN_UUID, path: '/bad/' }]),
  parts('a marker that does not fit', [{ uuid: UNKNOWN_UUID, path: 'PP:/bad/' }]),
  parts('a characteristic among the parts', [{ uuid: UNKNOWN_UUID, path: 'PC:/a/bad/' }]),
  parts('an empty name', [{ uuid: UNKNOWN_UUID, path: 'PP:/a//' }]),
  parts('U+0000 in the name', [{ uuid: UNKNOWN_UUID, path: 'P:/b\0d/' }]),
  parts('half of a surrogate pair', [{ uuid: UNKNOWN_UUID, path: 'P:/b\ud800d/' }]),
  parts('a parent that is not there', [{ uuid: UNKNOWN_UUID, path: 'PP:/not there/bad/' }]),
  parts('a list for the attributes', [{ uuid: UNKNOWN_UUID, path: 'P:/bad/', attributes: [] }]),
  parts('an attribute that is not defined', [{ uuid: UNKNOWN_UUID, path: 'P:/bad/', attributes: { 12345: 'x' } }]),
  parts('a name of 10 MB', [{ uuid: UNKNOWN_UUID, path: `P:/${'x'.repeat(10_000_000)}/` }]),
  parts('the uuid of the root', [{ uuid: '00000000-0000-0000-0000-000000000000', path: 'P:/bad/' }], [400, 409]),
  parts('the path of the root', [{ uuid: UNKNOWN_UUID, path: '/' }], [400, 409]),
  parts(
    'the same uuid twice',
    [
      { uuid: UNKNOWN_UUID, path: 'P:/bad 1/' },
      { uuid: UNKNOWN_UUID, path: 'P:/bad 2/' },
    ],
    [400, 409],
  ),
  { name: 'JSON cut in the middle', request: () => post('[{"uuid": "'), status: 400 },
  { name: 'no body', request: () => post(''), status: 400 },
  { name: '10 MB that are no JSON', request: () => post(Buffer.alloc(10_000_000, '[')), status: 400 },
  { name: 'JSON in JSON in JSON, 100,000 deep', request: () => post('['.repeat(100_000) + ']'.repeat(100_000)), status: 400 },
  { name: 'bytes that are no UTF-8', request: () => post(Buffer.from([0x5b, 0x22, 0xff, 0xfe, 0x22, 0x5d])), status: 400 },
  { name: 'gzip that is none', request: () => post('[]', { ...JSON_TYPE, 'Content-Encoding': 'gzip' }), status: 400 },
  { name: 'an unknown encoding', request: () => post('[]', { ...JSON_TYPE, 'Content-Encoding': 'lzma' }), status: 415 },
  { name: 'XML', request: () => post('<parts/>', { 'Content-Type': 'application/xml' }), status: 415 },
  { name: 'a form', request: () => post('uuid=1', { 'Content-Type': 'application/x-www-form-urlencoded' }), status: 400 },
  { name: 'a form with parts', request: () => post('--x--', { 'Content-Type': 'multipart/form-data; boundary=x' }), status: 415 },
  get(`${PARTS}/${UNKNOWN_UUID}`, 404),
  get(`${PARTS}/me`, [400, 404]),
  get(`${PARTS}/%zz`, 400),
  get(`${PARTS}/%c3%28`, 400),
  get(`${PARTS}/%00`, [400, 404]),
  get(`${PARTS}/../../etc/passwd`, [400, 404]),
  get(`${PARTS}/..%2f..%2fetc%2fpasswd`, [400, 404]),
  get(`${PARTS}?partUuids=me`, 400),
  get(`${PARTS}?partUuids={${UNKNOWN_UUID},`, 400),
  get(`${PARTS}?partPath=/a//b`, 400),
  get(`${PARTS}?partPath=%00`, 400),
  get(`${PARTS}?partPath=%zz`, 400),
  get(`${PARTS}?depth=-1`, 400),
  get(`${PARTS}?depth=deep`, 400),
  get(`/${'x'.repeat(100_000)}`, [400, 414, 431]),
  get('/', 404),
  get('/dataServiceRest/nothing', 404),
  get('/dataServiceRestX', 404),
  get('/eventsfoo', 404),
  get('/eventServiceRest/changes?after=yesterday', 400),
  get('/eventServiceRest/changes?limit=-1', 400),
  get('/socket.io', 400),
  get(`${FILES}/${UNKNOWN_UUID}/0`, 404),
  get(`${FILES}/me/0`, [400, 404]),
  get(`${FILES}/${UNKNOWN_UUID}/zero`, [400, 404]),
  get(`${FILES}/${UNKNOWN_UUID}/-5`, [400, 404]),
  get(`${FILES}/${UNKNOWN_UUID}/99999999999999999999`, [400, 404]),
  get(`${FILES}/${UNKNOWN_UUID}/..%2f..%2fpostgres`, [400, 404]),
  get(`/rawDataServiceRest/rawData/tool/${UNKNOWN_UUID}/0`, [400, 404]),
  get('/rawDataServiceRest/rawDataInformation/tool', [400, 404]),
  get('/rawDataServiceRest/rawDataInformation/part?uuids=me', 400),
  get('/rawDataServiceRest/rawDataInformation/part?uuids=%zz', 400),
  method('PATCH', () => PARTS, ['GET', 'POST']),
  method('POST', (uuid) => `${PARTS}/${uuid}`, ['GET', 'DELETE']),
  method('POST', () => '/dataServiceRest/serviceInformation', ['GET']),
  method('DELETE', () => '/eventServiceRest/changes', ['GET']),
  emptyName((uuid) => `${FILES}/${uuid}/`),
  ...['measurements/', 'measurements/%20', 'catalogs/', 'configuration/', 'configuration/part/'].map((rest) =>
    emptyName(() => `/dataServiceRest/${rest}`),
  ),
  bodyOfDeletion('DELETE', (uuid) => `${FILES}/${uuid}`),
  bodyOfDeletion('DELETE', (uuid) => `${PARTS}?partUuids={${uuid}}`),
  bodyOfDeletion('POST', (uuid) => `${PARTS}/${uuid}/clear`),
  ...['measurements', 'catalogs', 'configuration', 'configuration/part'].map((rest) =>
    bodyOfDeletion('DELETE', () => `/dataServiceRest/${rest}`),
  ),
  {
    name: 'a part to clear with a typing error',
    request: (uuid) => ({ method: 'POST', path: `${PARTS}/${uuid}/clear?keep[]=subParts` }),
    status: 400,
  },
  get('/dataServiceRest/measurements?offset=10', 400),
  get('/dataServiceRest/measurements?partUuids[]=x', 400),
  get('/rawDataServiceRest/rawDataInformation/part?uuids[0]=x', 400),
  get('/eventServiceRest/changes?page=2', 400),
  { name: 'DELETE of all parts without a selector', request: () => ({ method: 'DELETE', path: PARTS }), status: 400 },
  { name: 'DELETE with an empty selector', request: () => ({ method: 'DELETE', path: `${PARTS}?partUuids={}` }), status: 400 },
  {
    name: 'DELETE with a typing error in the selector',
    request: (uuid) => ({ method: 'DELETE', path: `${PARTS}?partUids=${uuid}` }),
    status: 400,
  },
  { name: 'DELETE of a part that is not there', request: () => ({ method: 'DELETE', path: `${PARTS}/${UNKNOWN_UUID}` }), status: 404 },
  {
    name: 'DELETE of the root',
    request: () => ({ method: 'DELETE', path: `${PARTS}/00000000-0000-0000-0000-000000000000` }),
    status: [400, 409],
  },
  { name: 'DELETE of a file that is not there', request: (uuid) => ({ method: 'DELETE', path: `${FILES}/${uuid}/0` }), status: 404 },
  upload('to a part that is not there', () => `${FILES}/${UNKNOWN_UUID}`, {}, 404),
  upload('without a name', (uuid) => `${FILES}/${uuid}`, { 'Content-Disposition': '' }),
  upload('with an empty name', (uuid) => `${FILES}/${uuid}`, { 'Content-Disposition': 'attachment; filename=""' }),
  upload('with a control character in the name', (uuid) => `${FILES}/${uuid}`, {
    'Content-Disposition': "attachment; filename*=UTF-8''a%00b.txt",
  }),
  upload('with a digest that is none', (uuid) => `${FILES}/${uuid}`, { 'Content-MD5': 'nonsense' }),
  upload('with the digest of something else', (uuid) => `${FILES}/${uuid}`, { 'Content-MD5': 'vfawarMBqArlUCEIW4IDkw==' }),
  upload('with a negative key', (uuid) => `${FILES}/${uuid}/-2`, {}),
  upload('with a key that is no number', (uuid) => `${FILES}/${uuid}/first`, {}),
  upload('to an entity type that does not exist', (uuid) => `/rawDataServiceRest/rawData/tool/${uuid}`, {}, [400, 404]),
  upload('with half a compound key', (uuid) => `/rawDataServiceRest/rawData/value/${uuid}|`, {}, [400, 404]),
];
