import { zip } from '@sinebar/testing';

export interface WholeRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string | Buffer | undefined;
}

/** Uuids of the examples in the OpenAPI documents, so that an example is a valid request. */
export const PART = '05040c4c-f0af-46b8-810e-30c0c00a379e';
export const CHARACTERISTIC = '0f3e8f6e-3a0c-4a0b-9a44-6f2f6f1a2b11';
export const MEASUREMENT = '7d1c2b5e-6f0a-4c55-8a0e-1f7a5c9b2d30';
export const CATALOG = '8c376bee-ffe3-4ee4-abb9-a55b492e69ad';
export const ROOT_PART = '00000000-0000-0000-0000-000000000000';

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
/** Files with the keys 0, 1, 2: an archive (used by the examples), a picture and a text. */
export const FILES: readonly (readonly [name: string, type: string, content: Buffer])[] = [
  ['set.zip', 'application/zip', zip([{ name: 'readme.txt', content: Buffer.from('of the set') }])],
  ['pixel.png', 'image/png', Buffer.from(PIXEL, 'base64')],
  ['note.txt', 'text/plain', Buffer.from('ground, then polished\n')],
];

const definition = (key: number, type: string) => ({ key, description: `attribute ${key}`, definitionType: 'AttributeDefinition', type });
const json = (method: string, path: string, value: unknown): WholeRequest => ({
  method,
  path: `/dataServiceRest/${path}`,
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify(value),
});

/** Returns requests that create everything the random requests name, or restore it. */
export function worldRequests(): WholeRequest[] {
  const value = { [CHARACTERISTIC]: { 1: '20.010' } };
  const measurement = { uuid: MEASUREMENT, partUuid: PART, attributes: { 4: '2026-01-05T08:30:00Z', 14: '7' }, characteristics: value };
  const parts = [
    { uuid: PART, path: 'P:/Pump/', attributes: { 1001: 'P-4711' } },
    { uuid: MEASUREMENT, path: 'PP:/Pump/Wheel/', attributes: {} },
  ];
  const characteristics = [{ uuid: CHARACTERISTIC, path: 'PC:/Pump/Diameter/', attributes: { 2101: 20, 2110: 19.9, 2111: 20.1 } }];
  const catalog = { uuid: CATALOG, name: 'Machines', validAttributes: [2009], catalogEntries: [{ key: 1, attributes: { 2009: 'Lathe' } }] };
  const post = (path: string, items: unknown) => json('POST', path, items);
  return [
    json('PUT', 'configuration/part', [{ ...definition(1001, 'AlphaNumeric'), length: 30 }]),
    json(
      'PUT',
      'configuration/characteristic',
      [2101, 2110, 2111].map((key) => definition(key, 'Float')),
    ),
    json('PUT', 'configuration/measurement', [{ ...definition(14, 'AlphaNumeric'), length: 30 }]),
    json('PUT', 'configuration/catalog', [{ ...definition(2009, 'AlphaNumeric'), length: 30 }]),
    post('catalogs', [catalog]),
    post('parts', parts),
    post('characteristics', characteristics),
    json('PUT', 'parts', parts),
    json('PUT', 'characteristics', characteristics),
    post('values', [measurement]),
    ...[`part/${PART}`, `characteristic/${CHARACTERISTIC}`, `measurement/${MEASUREMENT}`, `value/${MEASUREMENT}|${CHARACTERISTIC}`].flatMap(
      (target) =>
        FILES.map(([name, type, content], key) => ({
          method: 'POST',
          path: asSent(`/rawDataServiceRest/rawData/${target}/${key}`),
          headers: { 'Content-Type': type, 'Content-Disposition': `attachment; filename="${name}"` },
          body: content,
        })),
    ),
  ];
}

/** Encodes characters that no client can send in an address; keeps all others, even reserved ones. */
export function asSent(text: string): string {
  const wellFormed = text.replace(/[\ud800-\udfff]/gu, '\ufffd');
  return wellFormed.replace(/[^!-~]/gu, (character) => encodeURIComponent(character)).replaceAll('#', '%23');
}
