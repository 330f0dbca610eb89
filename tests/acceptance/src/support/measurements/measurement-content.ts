import { randomUUID } from 'node:crypto';
import { sendJson } from '../requests/rest-client.ts';

export interface MeasuredPart {
  uuid: string;
  characteristics: readonly string[];
}

export interface ReadMeasurement {
  uuid: string;
  partUuid: string;
  attributes: Record<string, string>;
  characteristics: Record<string, Record<string, string>>;
}

const PARTS = 2;
const CHARACTERISTICS = 12;
const TIME_KEY = 4;
/** Attributes with texts, of measurements and of values. */
const MEASUREMENT_TEXT_KEY = 21_001;
const VALUE_TEXT_KEY = 21_002;

/** Creates the plan for measurements. @throws when the server refuses it */
export async function createMeasuredParts(url: string): Promise<MeasuredPart[]> {
  const post = async (path: string, body: unknown) => {
    const { status, bytes } = await sendJson(url, 'POST', `/dataServiceRest/${path}`, body);
    if (status !== 201) throw new Error(`POST ${path} answered ${status}: ${bytes.toString()}`);
  };
  const text = (key: number) => [{ key, description: '', type: 'AlphaNumeric', length: 40, definitionType: 'AttributeDefinition' }];
  await post('configuration/measurement', text(MEASUREMENT_TEXT_KEY));
  await post('configuration/value', text(VALUE_TEXT_KEY));
  return await Promise.all(
    Array.from({ length: PARTS }, async () => {
      const part = { uuid: randomUUID(), characteristics: Array.from({ length: CHARACTERISTICS }, () => randomUUID()) };
      await post('parts', [{ uuid: part.uuid, path: `P:/${part.uuid}/` }]);
      await post(
        'characteristics',
        part.characteristics.map((uuid, i) => ({ uuid, path: `PC:/${part.uuid}/${i}/` })),
      );
      return part;
    }),
  );
}

/**
 * Makes the content that a numbered request writes into a measurement.
 * Every attribute, value and gap follows from the number, so that a read shows which request wrote it, and whether completely.
 */
export function sentContent(part: MeasuredPart, request: number): { attributes: object; characteristics: object } {
  return contentOf(part, request, (value) => value);
}

/** Returns the read form of {@link sentContent}: numbers have become texts. */
export function readContent(part: MeasuredPart, request: number): Pick<ReadMeasurement, 'attributes' | 'characteristics'> {
  return contentOf(part, request, String);
}

/** Returns the number of the request that wrote a measurement; NaN for any other content. */
export function requestOf({ attributes }: Pick<ReadMeasurement, 'attributes'>): number {
  return Number(attributes[MEASUREMENT_TEXT_KEY]);
}

function contentOf<T>(part: MeasuredPart, request: number, as: (value: string | number) => T) {
  const minute = String(request % 60).padStart(2, '0');
  const characteristics = part.characteristics.flatMap((uuid, i): [string, Record<string, T>][] => {
    if ((request + i) % 5 === 0) return [];
    const value = { 1: as(measured(request, i)) };
    return [[uuid, (request + i) % 7 === 0 ? { ...value, [VALUE_TEXT_KEY]: as(`of ${request}`) } : value]];
  });
  return {
    attributes: { [TIME_KEY]: `2024-05-06T07:${minute}:00Z`, [MEASUREMENT_TEXT_KEY]: String(request) },
    characteristics: Object.fromEntries(characteristics),
  };
}

/** Returns texts of every storage form, and JSON numbers. */
function measured(request: number, index: number): string | number {
  switch ((request + index) % 6) {
    case 0:
      return `${request}.${index}0`;
    case 1:
      return `${request}e-${index}`;
    case 2:
      return `-0.${request}00`;
    case 3:
      return `${request}.12345678901234567`;
    case 4:
      return request / 7;
    default:
      return `+0${request}.5`;
  }
}
