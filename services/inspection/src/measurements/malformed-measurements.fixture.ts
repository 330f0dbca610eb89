import fc from 'fast-check';
import { wrongBodies } from './malformed-bodies.fixture.ts';
import {
  notDate,
  notKey,
  notNumber,
  notUuid,
  request,
  uuid,
  word,
  type Arbitrary,
  type MalformedContext,
  type MalformedRequest,
} from './malformed-texts.fixture.ts';

type Mistake = [name: string, value: Arbitrary<string>];

const uuidListWithMistake = fc
  .tuple(fc.array(uuid, { maxLength: 4 }), notUuid, fc.nat(4), fc.boolean())
  .map(([good, bad, index, inBraces]) =>
    good
      .toSpliced(index, 0, bad)
      .join(',')
      .replace(/^.*$/s, (list) => (inBraces ? `{${list}}` : list)),
  );
const notLimit = fc.oneof(word, fc.constantFrom('1.5', '1e3', '0x10', '--1', '1 0', '9'.repeat(16), 'NaN'));
const operator = fc.constantFrom('=', '<>', '<', '>=', 'In', 'notin');

const badSearch: Arbitrary<string> = fc.oneof(
  fc.tuple(notKey, operator).map(([key, sign]) => `${key}${sign}[1]`),
  fc
    .tuple(
      fc.constantFrom('1', '7003', '7002'),
      operator,
      notNumber.filter((text) => !/^[-\d]/.test(text)),
    )
    .map(([key, sign, text]) => `${key}${sign}[${text}]`),
  fc.tuple(fc.constantFrom('4', '7103', 'LastModified', 'Created'), operator, notDate).map(([key, sign, text]) => `${key}${sign}[${text}]`),
  word.map((text) => `7004=[${text}]`),
  fc.constantFrom(
    '4',
    '4=',
    '4=[',
    '4[1]',
    '=[1]',
    '4 is [x]',
    '4==[1]',
    '7001=[x]+',
    '7001=[x] ',
    '7001=x',
    '7001=[x]+;',
    '7002Like[1%]',
    '4Like[2024%]',
    '7001=[\u0000]',
  ),
  fc.constant(`7001=[${'x'.repeat(16 * 1024)}]`),
);
const badOrder = fc.oneof(
  notKey.map((key) => `${key} asc`),
  word.map((direction) => `4 ${direction}`),
  fc.constantFrom(
    '4',
    'asc',
    '4 asc,',
    ',4 asc',
    '4 asc 6 desc',
    '4 asc, 4 desc',
    '4asc',
    Array.from({ length: 65 }, (_, i) => `${i} asc`).join(),
  ),
);

const selection: readonly Mistake[] = [
  ['measurementUuids', uuidListWithMistake],
  ['partUuids', uuidListWithMistake],
  ['partPath', fc.constantFrom('/a//b', '//', '/a\\', '/\u0000', `/${'x'.repeat(300)}`)],
  ['searchCondition', badSearch],
  ['caseSensitive', fc.oneof(word, fc.constantFrom('1', '0', 'yes', 'tru'))],
  ['aggregation', fc.oneof(word, fc.constantFrom('0', 'Measurement', 'true'))],
];
const listing: readonly Mistake[] = [
  ...selection,
  ['deep', fc.oneof(word, fc.constantFrom('1', '2', 'DeleteDeep'))],
  ['order', badOrder],
  ['fromModificationDate', notDate],
  ['toModificationDate', notDate],
  ['limitResult', notLimit],
  ['limitResultPerPart', notLimit],
];
const attributes: Arbitrary<string> = fc.oneof(
  notKey,
  fc.tuple(fc.nat(65_535), notKey).map((keys) => `{${keys.join()}}`),
  fc.constant('{1,,2}'),
);
const merging: readonly Mistake[] = [
  ['mergeAttributes', fc.oneof(notKey, fc.constantFrom('{1,2}', '1,1', '{x}', '7001'))],
  ['mergeCondition', fc.oneof(word, fc.constantFrom('1', 'MeasurementsInAllPart'))],
  ['mergeMasterPart', fc.oneof(notUuid, uuid)],
];
const measurementView: readonly Mistake[] = [
  ['requestedMeasurementAttributes', attributes],
  ['statistics', fc.oneof(word, fc.constantFrom('1', 'true', 'Simpel'))],
];
const valuesView: readonly Mistake[] = [
  ['requestedMeasurementAttributes', attributes],
  ['requestedValueAttributes', attributes],
  ['characteristicUuids', uuidListWithMistake],
];
const deletion: readonly Mistake[] = [
  ...selection,
  ['deep', fc.oneof(word, fc.constantFrom('1', 'Delete'))],
  ['runAsync', fc.oneof(word, fc.constant('1'))],
  ['measurementUuids', fc.constantFrom('', '{}', ' ', '{ }')],
  ['partUuids', fc.constantFrom('', '{}', ' ')],
  ['partPath', fc.constant('')],
  ['partUids', uuid],
  ['order', fc.constant('4 asc')],
  ['limitResult', fc.constant('1')],
];

/** Valid read parameters that do not affect the mistake. */
const noise = fc.uniqueArray(fc.constantFrom('unknown=1', 'REQUESTEDVALUEATTRIBUTES={1}', 'Statistics=none', 'foo', '%41=b'), {
  maxLength: 2,
});

function wrongParameter(method: string, path: string, mistakes: readonly Mistake[], statuses = [400]): Arbitrary<MalformedRequest> {
  return fc.constantFrom(...mistakes).chain(([name, value]) =>
    fc.tuple(value, method === 'GET' ? noise : fc.constant([]), fc.boolean()).map(([text, others, isUpper]) => {
      const sent = `${isUpper ? name.toUpperCase() : name}=${encodeURIComponent(text)}`;
      const clash = (other: string) => decodeURIComponent(other).toLowerCase().startsWith(`${name.toLowerCase()}=`);
      return request(
        method,
        `${path}?${[...others.filter((other) => !clash(other)), sent].join('&')}`,
        `${name} ${text.slice(0, 60)}`,
        statuses,
      );
    }),
  );
}

const LISTS = ['measurements', 'values', 'distinctMeasurementAttributeValues'] as const;

function wrongAddresses({ measurements }: MalformedContext): Arbitrary<MalformedRequest> {
  const [known = ''] = measurements;
  const one = fc.constantFrom('measurements', 'values', 'pendingOperations');
  const get = (path: Arbitrary<string>, mistake: string, statuses: number[]) => path.map((text) => request('GET', text, mistake, statuses));
  return fc.oneof(
    get(
      fc.tuple(one, notUuid).map(([resource, text]) => `${resource}/${encodeURIComponent(text)}`),
      'no uuid',
      [400],
    ),
    get(
      fc.tuple(one, uuid).map(([resource, text]) => `${resource}/${text}`),
      'unknown uuid',
      [404],
    ),
    fc.oneof(uuid, notUuid).map((text) => request('DELETE', `measurements/${encodeURIComponent(text)}`, 'nothing to delete', [400, 404])),
    get(
      fc
        .tuple(fc.constantFrom(...LISTS), fc.constantFrom('%zz', '%c3%28', '%00%', '%ff'))
        .map((texts) => `${texts[0]}?key=4&partPath=${texts[1]}`),
      'encoding',
      [400],
    ),
    get(
      fc.constantFrom(...LISTS).map((list) => `${list}?key=4&partUuids={}&PARTUUIDS={}`),
      'twice',
      [400],
    ),
    get(fc.constantFrom('distinctMeasurementAttributeValues', 'distinctMeasurementAttributeValues?key='), 'no key', [400]),
    get(
      fc.constantFrom('measurements', 'values').map((list) => `${list}?partPath=/&deep=true&mergeAttributes=4`),
      'merging below a path',
      [400],
    ),
    fc
      .tuple(
        fc.constantFrom(...LISTS, `values/${known}`, `measurements/${known}`, `pendingOperations/${known}`),
        fc.constantFrom('PATCH', 'PROPFIND', 'LOCK'),
      )
      .map(([path, method]) => request(method, path, 'method', [405])),
    fc.constantFrom('values', `values/${known}`).map((path) => request('DELETE', path, 'method', [405])),
    fc
      .constantFrom('measurement', 'values/x/y', `measurements/${known}/values`, 'Values//')
      .map((path) => request('GET', path, 'address', [404])),
    wrongParameter('GET', `measurements/${known}`, [...measurementView, ['aggregation', word]]),
    wrongParameter('GET', `values/${known}`, [...valuesView, ['aggregation', word]]),
  );
}

/** Generates requests with exactly one mistake each. */
export function malformedRequests(context: MalformedContext): Arbitrary<MalformedRequest> {
  return fc.oneof(
    { weight: 2, arbitrary: wrongParameter('GET', 'measurements', [...listing, ...merging, ...measurementView]) },
    { weight: 2, arbitrary: wrongParameter('GET', 'values', [...listing, ...merging, ...valuesView]) },
    {
      weight: 1,
      arbitrary: fc.oneof(
        wrongParameter('GET', 'distinctMeasurementAttributeValues', [['key', notKey]]),
        wrongParameter('GET', 'distinctMeasurementAttributeValues', listing).map((sent) => ({ ...sent, path: `${sent.path}&key=4` })),
      ),
    },
    { weight: 2, arbitrary: wrongParameter('DELETE', 'measurements', deletion) },
    { weight: 2, arbitrary: wrongAddresses(context) },
    {
      weight: 1,
      arbitrary: notUuid.map((text) => request('GET', `pendingOperations/${encodeURIComponent(text)}`, 'no uuid', [400])),
    },
    { weight: 8, arbitrary: wrongBodies(context) },
  );
}
