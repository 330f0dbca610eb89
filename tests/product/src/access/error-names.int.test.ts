import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { describeWith, eventually } from '@sinebar/testing';
import { ADMIN, startProduct, utf8, type Asked, type RunningProduct } from './running-product.fixture.ts';
import { fileHeaders } from './world.fixture.ts';

const DATA = '/dataServiceRest';
const FILES = '/rawDataServiceRest/rawData';
/** Names as stored. Requests write them in lower case, so an answer with one of these did not copy the request. */
const OPEN = 'Open Alpha';
const INNER = 'Inner Beta';
const LONG = 'Long Gamma';
const HIDDEN = 'Hidden Delta';
const STORED_NAMES = /Open Alpha|Inner Beta|Long Gamma|Hidden Delta|Outer Value|Below Value|Inner Value|Hidden Value|Deep /;
const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;
/** Grants that change everything at the open part and read nothing. */
const WRITER = `plan:write /${OPEN}, measurement:write /${OPEN}, rawData:write /${OPEN}`;
/** Grants that change the plan of the open part but no measured values. */
const PLANNER = `plan:write /${OPEN}`;
/** Grants that read more measured values than they may delete. */
const SEARCHER = `measurement:write /${OPEN}, measurement:read /`;

const item = (path: string) => ({ uuid: randomUUID() as string, path });
const parts = {
  open: item(`P:/${OPEN}/`),
  inner: item(`PP:/${OPEN}/${INNER}/`),
  long: item(`PP:/${OPEN}/${LONG}/`),
  hidden: item(`P:/${HIDDEN}/`),
};
/** A path below the long part, so deep that a longer name above it makes the path too long. */
const deep = Array.from({ length: 7 }, (_, i) =>
  item(`${'P'.repeat(i + 3)}:/${OPEN}/${LONG}/${Array.from({ length: i + 1 }, (_unused, k) => `Deep ${k}`.padEnd(250, 'x')).join('/')}/`),
);
const characteristics = {
  outer: item(`PC:/${OPEN}/Outer Value/`),
  below: item(`PCC:/${OPEN}/Outer Value/Below Value/`),
  inner: item(`PPC:/${OPEN}/${INNER}/Inner Value/`),
  hidden: item(`PC:/${HIDDEN}/Hidden Value/`),
};
const measurements = { open: randomUUID() as string, inner: randomUUID() as string, hidden: randomUUID() as string };

type Refused = [name: string, who: string, request: Omit<Asked, 'who'>, status: number];
const put = (resource: string, body: unknown): Omit<Asked, 'who'> => ({ method: 'PUT', path: `${DATA}/${resource}`, body });
const post = (resource: string, body: unknown): Omit<Asked, 'who'> => ({ method: 'POST', path: `${DATA}/${resource}`, body });
const remove = (path: string): Omit<Asked, 'who'> => ({ method: 'DELETE', path: `${DATA}/${path.replaceAll(' ', '%20')}` });
const hiddenFiles = [
  `part/${parts.hidden.uuid}`,
  `characteristic/${characteristics.hidden.uuid}`,
  `measurement/${measurements.hidden}`,
  `value/${encodeURIComponent(`${measurements.hidden}|${characteristics.hidden.uuid}`)}`,
];

const REFUSED: readonly Refused[] = [
  ['change a part elsewhere', WRITER, put('parts', [{ uuid: parts.hidden.uuid, attributes: {} }]), 403],
  ['change a characteristic elsewhere', WRITER, put('characteristics', [{ uuid: characteristics.hidden.uuid, attributes: {} }]), 403],
  ['move a part elsewhere', WRITER, put('parts', [{ uuid: parts.inner.uuid, path: 'PP:/hidden delta/x/' }]), 403],
  ['move a part from elsewhere', WRITER, put('parts', [{ uuid: parts.hidden.uuid, path: 'PP:/open alpha/x/' }]), 403],
  ['move a part below itself', WRITER, put('parts', [{ uuid: parts.open.uuid, path: 'PPP:/open alpha/inner beta/x/' }]), 400],
  ['move a part below nothing', WRITER, put('parts', [{ uuid: parts.inner.uuid, path: 'PPP:/open alpha/nothing/x/' }]), 400],
  ['move a part to a taken path', WRITER, put('parts', [{ uuid: parts.long.uuid, path: 'PP:/open alpha/inner beta/' }]), 409],
  ['make a path too long', WRITER, put('parts', [{ uuid: parts.long.uuid, path: `PP:/open alpha/${'y'.repeat(255)}/` }]), 400],
  [
    'take a characteristic with values to another part',
    WRITER,
    put('characteristics', [{ uuid: characteristics.outer.uuid, path: 'PPC:/open alpha/inner beta/outer value/' }]),
    400,
  ],
  ['create a part at a taken path', WRITER, post('parts', [{ uuid: randomUUID(), path: 'PP:/open alpha/inner beta/' }]), 409],
  ['create a part under a taken uuid', WRITER, post('parts', [{ uuid: parts.hidden.uuid, path: 'PP:/open alpha/new/' }]), 409],
  ['create a part below nothing', WRITER, post('parts', [{ uuid: randomUUID(), path: 'PPP:/open alpha/nothing/new/' }]), 400],
  ['create a part elsewhere', WRITER, post('parts', [{ uuid: randomUUID(), path: 'PP:/hidden delta/new/' }]), 403],
  [
    'create a characteristic at a taken path',
    WRITER,
    post('characteristics', [{ uuid: randomUUID(), path: 'PC:/open alpha/outer value/' }]),
    409,
  ],
  ['delete a part elsewhere', WRITER, remove(`parts/${parts.hidden.uuid}`), 403],
  ['delete a part elsewhere by its path', WRITER, remove('parts?partPath=/hidden delta'), 403],
  ['delete a characteristic elsewhere by its path', WRITER, remove('characteristics?charPath=/hidden delta/hidden value'), 403],
  ['delete everything', WRITER, remove('parts?partPath=/'), 403],
  ['delete a part with measurements below it', PLANNER, remove(`parts/${parts.open.uuid}`), 403],
  ['delete a part with measurements below it by its path', PLANNER, remove('parts?partPath=/open alpha'), 403],
  ['clear a part with measurements below it', PLANNER, { method: 'POST', path: `${DATA}/parts/${parts.open.uuid}/clear` }, 403],
  ['delete a characteristic with values below it', PLANNER, remove(`characteristics/${characteristics.outer.uuid}`), 403],
  ['delete a characteristic with values below it by its path', PLANNER, remove('characteristics?charPath=/open alpha/outer value'), 403],
  ['create a measurement elsewhere', WRITER, post('measurements', [{ uuid: randomUUID(), partUuid: parts.hidden.uuid }]), 403],
  [
    'create a measurement under a taken uuid',
    WRITER,
    post('measurements', [{ uuid: measurements.hidden, partUuid: parts.open.uuid }]),
    409,
  ],
  [
    'measure a characteristic of another part',
    WRITER,
    post('values', [{ uuid: randomUUID(), partUuid: parts.open.uuid, characteristics: { [characteristics.hidden.uuid]: { 1: '1' } } }]),
    400,
  ],
  ['replace a measurement elsewhere', WRITER, put('measurements', [{ uuid: measurements.hidden }]), 403],
  ['replace values elsewhere', WRITER, put('values', [{ uuid: measurements.hidden, characteristics: {} }]), 403],
  [
    'replace a value by one of another part',
    WRITER,
    put('values', [{ uuid: measurements.open, characteristics: { [characteristics.hidden.uuid]: { 1: '1' } } }]),
    400,
  ],
  ['take a measurement to another part', WRITER, put('measurements', [{ uuid: measurements.open, partUuid: parts.inner.uuid }]), 400],
  ['delete a measurement elsewhere', WRITER, remove(`measurements/${measurements.hidden}`), 403],
  ['delete measurements elsewhere', WRITER, remove(`measurements?measurementUuids=${measurements.open},${measurements.hidden}`), 403],
  ['delete measurements of a part elsewhere', WRITER, remove(`measurements?partUuids=${parts.hidden.uuid}`), 403],
  ['delete measurements at a path elsewhere', WRITER, remove('measurements?partPath=/hidden delta'), 403],
  ['delete measurements of all parts', WRITER, remove('measurements?partPath=/&deep=true'), 403],
  ['delete what a search finds elsewhere', SEARCHER, remove('measurements?searchCondition=1%3E[0]'), 403],
  ['read a part elsewhere', `plan:read /${OPEN}`, { path: `${DATA}/parts/${parts.hidden.uuid}` }, 403],
  ['read a characteristic elsewhere', `plan:read /${OPEN}`, { path: `${DATA}/characteristics/${characteristics.hidden.uuid}` }, 403],
  ['read a measurement elsewhere', `measurement:read /${OPEN}`, { path: `${DATA}/measurements/${measurements.hidden}` }, 403],
  ['read values elsewhere', `measurement:read /${OPEN}`, { path: `${DATA}/values/${measurements.hidden}` }, 403],
  ...hiddenFiles.flatMap((target): Refused[] => [
    [`store a file elsewhere, ${target.split('/')[0]}`, WRITER, uploadOf('POST', `${target}/0`), 403],
    [`replace a file elsewhere, ${target.split('/')[0]}`, WRITER, uploadOf('PUT', `${target}/0`), 403],
    [`delete a file elsewhere, ${target.split('/')[0]}`, WRITER, { method: 'DELETE', path: `${FILES}/${target}/0` }, 403],
    [`read a file elsewhere, ${target.split('/')[0]}`, `rawData:read /${OPEN}`, { path: `${FILES}/${target}/0` }, 403],
  ]),
];

function uploadOf(method: string, address: string): Omit<Asked, 'who'> {
  return { method, path: `${FILES}/${address}`, headers: fileHeaders('new.txt'), body: Buffer.from('new') };
}

describeWith(['postgres', 'nats', 's3'], 'an error message', () => {
  let product: RunningProduct;
  beforeAll(async () => {
    product = await startProduct();
    const admin = async (request: Omit<Asked, 'who'>) => {
      const answer = await product.send({ who: ADMIN, ...request });
      if (answer.status >= 300) throw new Error(`${request.path}: ${answer.status} ${answer.text}`);
    };
    await admin(post('parts', [...Object.values(parts), ...deep]));
    await admin(post('characteristics', Object.values(characteristics)));
    const value = (uuid: string) => ({ [uuid]: { 1: '1.5' } });
    await admin(
      post('values', [
        {
          uuid: measurements.open,
          partUuid: parts.open.uuid,
          characteristics: { ...value(characteristics.outer.uuid), ...value(characteristics.below.uuid) },
        },
        { uuid: measurements.inner, partUuid: parts.inner.uuid, characteristics: value(characteristics.inner.uuid) },
        { uuid: measurements.hidden, partUuid: parts.hidden.uuid, characteristics: value(characteristics.hidden.uuid) },
      ]),
    );
    for (const target of hiddenFiles) await admin(uploadOf('POST', `${target}/0`));
  });
  afterAll(() => product.stop());

  const named = ({ path, body }: Omit<Asked, 'who'>) =>
    new Set(`${decodeURIComponent(path)} ${Buffer.isBuffer(body) ? '' : JSON.stringify(body)}`.toLowerCase().match(UUID));
  const foreignIn = (text: string, request: Omit<Asked, 'who'>) => {
    const allowed = named(request);
    return [...(text.toLowerCase().match(UUID) ?? []).filter((uuid) => !allowed.has(uuid)), ...(STORED_NAMES.exec(text) ?? [])];
  };

  describe.each(REFUSED)('for users who may not %s', (_name, who, request, status) => {
    it('contains only names that the request contained [D8.3]', async () => {
      const answer = await product.send({ who, ...request, headers: { ...request.headers, 'X-Request-Id': 'of-the-test' } });
      expect(answer.status).toBe(status);
      expect(foreignIn(utf8(answer), request)).toEqual([]);
    });
  });

  it('contains no other names after a failed deletion in the background [D8.3]', async () => {
    const request = remove('measurements?searchCondition=1%3E[0]&runAsync=true');
    const { status, headers } = await product.send({ who: SEARCHER, ...request });
    expect(status).toBe(202);
    const path = new URL(String(headers.location)).pathname;
    const failed = await eventually(async () => {
      const answer = await product.send({ who: SEARCHER, path, headers: { 'X-Request-Id': 'of-the-test' } });
      const operation = JSON.parse(utf8(answer)) as { ExecutionStatus: string; Exception: { message: string } | null };
      expect(operation.ExecutionStatus).toBe('Exception');
      return operation;
    });
    expect(foreignIn(failed.Exception?.message ?? 'no message', request)).toEqual([]);
  });
});
