import { writeFileSync } from 'node:fs';

/** `node fill.mjs <server url> <file>`: fills a new server, and writes into the file what it then answers. */
const [url, file] = process.argv.slice(2);
const uuid = (number) => `0000000${number}-0000-4000-8000-000000000000`;
const [PART, SUB, DIAMETER, FORM, CATALOG, FIRST, SECOND, THIRD, BORE] = [1, 2, 3, 4, 5, 6, 7, 8, 9].map(uuid);
const VIEW = '0000000a-0000-4000-8000-00000000000a';
const [STOP, SUBSCRIPTION] = ['0000000b-0000-4000-8000-00000000000b', '0000000c-0000-4000-8000-00000000000c'];
const ARCHIVE =
  'UEsDBBQAAAAAAAAAIVz+IM+CBgAAAAYAAAAKAAAAaW5zaWRlLnR4dG1hcmtlclBLAQIUAxQAAAAAAAAAIVz+IM+CBgAAAAYAAAAKAAAAAAAAAAAAAACAAQAAAABpbnNpZGUudHh0UEsFBgAAAAABAAEAOAAAAC4AAAAAAA==';

async function call(method, path, body, headers = { 'content-type': 'application/json' }) {
  const sent = body === undefined || Buffer.isBuffer(body) ? body : JSON.stringify(body);
  const response = await fetch(new URL(path, url), { method, body: sent, headers });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
  return response.headers.get('content-type')?.startsWith('application/json') ? JSON.parse(text) : text;
}
const define = (entity, key, type) =>
  call('POST', `/dataServiceRest/configuration/${entity}`, [{ key, description: 'é', definitionType: 'AttributeDefinition', ...type }]);
const attach = (target, key, name, bytes) =>
  call('POST', `/rawDataServiceRest/rawData/${target}/${key}`, bytes, { 'content-type': 'text/plain', 'content-disposition': `"${name}"` });

const { next } = await call('GET', '/eventServiceRest/changes');
const text = { type: 'AlphaNumeric', length: 100 };
await define('catalog', 14001, text);
await define('part', 1001, text);
for (const key of [2101, 2110, 2111]) await define('characteristic', key, { type: 'Float' });
await define('measurement', 4, { type: 'DateTime' }).catch(() => undefined);
await define('measurement', 14, text);
await define('value', 9, text);
await call('POST', '/dataServiceRest/catalogs', [
  {
    uuid: CATALOG,
    name: 'colours',
    validAttributes: [14001],
    catalogEntries: [
      { key: 1, attributes: { 14001: 'red' } },
      { key: 2, attributes: { 14001: 'grün' } },
    ],
  },
]);
await call('POST', '/dataServiceRest/configuration/part', [
  { key: 1002, description: 'colour', definitionType: 'CatalogAttributeDefinition', catalog: CATALOG },
]);
await call('POST', '/dataServiceRest/parts', [
  { uuid: PART, path: 'P:/Pump ß/', attributes: { 1001: 'old', 1002: '2' }, comment: 'made by the version before' },
  { uuid: SUB, path: 'PP:/Pump ß/Wheel/' },
]);
const limits = { 2101: '10', 2110: '9.9', 2111: '10.08' };
await call('POST', '/dataServiceRest/characteristics', [
  { uuid: DIAMETER, path: 'PC:/Pump ß/Diameter/', attributes: limits },
  { uuid: FORM, path: 'PCC:/Pump ß/Diameter/Form/' },
  { uuid: BORE, path: 'PPC:/Pump ß/Wheel/Bore/', attributes: limits },
]);
await call('POST', '/dataServiceRest/values', [
  {
    uuid: FIRST,
    partUuid: PART,
    attributes: { 4: '2026-01-02T03:04:05Z', 14: 'batch' },
    characteristics: { [DIAMETER]: { 1: '10.50', 9: 'by hand' }, [FORM]: { 1: '12345678901234567890' } },
  },
  { uuid: SECOND, partUuid: PART, attributes: { 4: '2026-01-02T03:04:06Z' }, characteristics: { [DIAMETER]: { 1: '-0' } } },
]);
await call('POST', '/dataServiceRest/measurements', [
  { uuid: THIRD, partUuid: PART, attributes: { 4: '2026-01-02T03:04:07Z', 14: 'no values' } },
]);
// Evaluated with more values, whose last digits a float64 cannot hold.
const series = Array.from({ length: 30 }, (_, i) => ({
  uuid: `00000100-0000-4000-8000-0000000000${String(i).padStart(2, '0')}`,
  partUuid: SUB,
  attributes: { 4: new Date(Date.UTC(2026, 0, 3, 8, i)).toISOString() },
  characteristics: { [BORE]: { 1: `9.9${(i * 7) % 10}000000000000000000${i % 10}` } },
}));
await call('POST', '/dataServiceRest/values', series);
await call('PUT', `/analysisServiceRest/characteristics/${BORE}/evaluation`, {
  subgroups: { size: 5 },
  rules: ['nelson1', 'nelson2:7'],
  model: 'normal',
  exclusions: [{ measurementUuid: series[3].uuid, reason: 'dropped part' }],
  reason: 'agreed with the line',
});
await call('PUT', `/analysisServiceRest/parts/${PART}/evaluation`, { required: 1.5, reason: 'asked by the customer' });
await call('PUT', '/analysisServiceRest/settings', {
  zone: 'Europe/Berlin',
  shifts: [{ name: 'early', from: '06:00', to: '14:00' }],
  required: 1.67,
  reason: 'a second plant',
});
await call('POST', '/analysisServiceRest/notes', {
  characteristicUuid: BORE,
  measurementUuid: series[3].uuid,
  text: 'The part was dropped.',
});
// The value beyond its limit raises an alarm, which is judged behind the answer.
let alarm;
for (let tries = 0; alarm === undefined; tries += 1) {
  [alarm] = await call('GET', `/alarmServiceRest/alarms?characteristicUuid=${DIAMETER}`);
  if (tries === 60) throw new Error('no alarm was raised within 30 s');
  if (alarm === undefined) await new Promise((resolve) => setTimeout(resolve, 500));
}
for (const state of ['acknowledged', 'closed'])
  await call('PUT', `/alarmServiceRest/alarms/${alarm.uuid}`, { state, note: 'The insert was changed.' });
await call('POST', '/alarmServiceRest/mutes', {
  uuid: STOP,
  partUuid: SUB,
  from: '2026-01-04T06:00:00Z',
  until: '2999-01-01T00:00:00Z',
  reason: 'Repair',
});
await call('POST', '/alarmServiceRest/subscriptions', {
  uuid: SUBSCRIPTION,
  receiver: { kind: 'webhook', url: 'https://hooks.invalid/alarms', shape: 'standard' },
  partPath: '/Pump ß',
  kinds: ['tolerance', 'rule'],
  digest: { at: ['06:00', '14:00'] },
  quietHours: { from: '22:00', to: '05:30' },
});
await call('PUT', `/analysisServiceRest/views/${VIEW}`, { name: 'Worst', address: `/console/parts/${PART}?order=ppk`, shared: true });
await call('PUT', '/exchangeServiceRest/mappings/gauge%207', {
  part: 'Shaft',
  columns: { Zeit: { is: 'time' }, D1: { is: 'value', characteristic: 'Bore' } },
  decimal: ',',
});
await attach(`part/${PART}`, 0, 'note.txt', Buffer.from('A text of the version before.\n'));
await attach(`part/${PART}`, 1, 'archive.zip', Buffer.from(ARCHIVE, 'base64'));
await attach(`measurement/${FIRST}`, 0, 'measurement.txt', Buffer.from('A text of a measurement.\n'));
await attach(`value/${encodeURIComponent(`${FIRST}|${DIAMETER}`)}`, 0, 'value.txt', Buffer.from('A text of a value.\n'));
await call('PUT', '/dataServiceRest/parts', [{ uuid: SUB, path: 'PP:/Pump ß/Impeller/' }]);

const files = '/rawDataServiceRest/rawData';
const addresses = [
  '/dataServiceRest/configuration',
  '/dataServiceRest/catalogs',
  '/dataServiceRest/parts?depth=100',
  '/dataServiceRest/characteristics?depth=100',
  '/dataServiceRest/measurements?statistics=Detailed',
  '/dataServiceRest/values',
  `/dataServiceRest/values?characteristicUuids={${FORM}}`,
  ...['part', 'characteristic', 'measurement', 'value'].map((entity) => `/rawDataServiceRest/rawDataInformation/${entity}`),
  `/analysisServiceRest/parts/${PART}/evaluation`,
  `/analysisServiceRest/parts/${PART}/evaluations`,
  `/analysisServiceRest/characteristics/${BORE}/evaluation`,
  `/analysisServiceRest/characteristics/${BORE}/evaluation/history`,
  `/analysisServiceRest/characteristics/${BORE}/summary`,
  `/analysisServiceRest/characteristics/${BORE}/series`,
  '/analysisServiceRest/settings',
  '/analysisServiceRest/settings/history',
  '/analysisServiceRest/notes',
  '/alarmServiceRest/alarms',
  `/alarmServiceRest/alarms/${alarm.uuid}`,
  '/alarmServiceRest/mutes?from=2026-01-01T00:00:00Z',
  '/alarmServiceRest/subscriptions',
  '/analysisServiceRest/views',
  '/exchangeServiceRest/mappings',
  '/exchangeServiceRest/mappings/gauge%207',
  `${files}/part/${PART}/0`,
  `${files}/part/${PART}/1/ArchiveEntries`,
  `${files}/measurement/${FIRST}/0`,
  `${files}/value/${encodeURIComponent(`${FIRST}|${DIAMETER}`)}/0`,
];
const feed = `/eventServiceRest/changes?after=${next}`;
let changes = '';
for (let before = -1; changes.length !== before;) {
  before = changes.length;
  await new Promise((resolve) => setTimeout(resolve, 2000));
  changes = JSON.stringify(await call('GET', feed));
}
const answers = {};
for (const address of [...addresses, feed]) answers[address] = await call('GET', address);
writeFileSync(file, `${JSON.stringify(answers, undefined, 2)}\n`);
