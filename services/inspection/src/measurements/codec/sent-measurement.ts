import { invalidField, parseUuid } from '@sinebar/contracts';
import { DecimalText, listOf, MAX_PROBLEMS, members, parseJson, parseWith, quoted, uuidParameter } from '@sinebar/http';
import { z } from 'zod';
import { rawAttributesSchema, readRawAttributes, type RawAttributes } from '../../configuration/attribute-values.ts';
import { commentSchema } from '../../shared/parameters.ts';
import { UuidIndex } from './uuid-index.ts';
import { wordsOfUuids } from './uuid-words.ts';

/** A measurement of a request; only its shape is checked. */
export interface SentMeasurement {
  uuid: string;
  partUuid: string | undefined;
  attributes: RawAttributes;
  comment: string | undefined;
  values: SentValues | undefined;
}

/** Characteristics in the order in which a request names them, without duplicates. Measurements with equal lists share one object. */
export interface SentCharacteristics {
  count: number;
  /** Uuids as four 32-bit words each. */
  words: Int32Array;
}

/** Measured values, indexed by the positions of their characteristics in the list. */
export interface SentValues {
  characteristics: SentCharacteristics;
  /** Undefined where `raw` has the value. */
  values: Float64Array;
  /** Bytes as in `measurement.digits`; `undefined` when every text is canonical. */
  digits: Uint8Array | undefined;
  /** Number texts, by index, that value and digits cannot reproduce. */
  texts: ReadonlyMap<number, string>;
  /** Unchecked attributes, by index, of values that are more than one plain number. */
  raw: ReadonlyMap<number, RawAttributes>;
}

const head = { uuid: uuidParameter, partUuid: uuidParameter.nullish(), attributes: rawAttributesSchema.optional(), comment: commentSchema };

const characteristicsSchema = z
  .unknown()
  .transform((sent, context): SentValues => {
    const problem = (path: string[], message: string) => context.addIssue({ code: 'custom', path, message });
    if (typeof sent !== 'object' || sent === null || Array.isArray(sent) || sent instanceof DecimalText) {
      problem([], 'must be an object of characteristic uuids and their values');
      return z.NEVER;
    }
    const uuids: string[] = [];
    const raw = new Map<number, RawAttributes>();
    let problems = 0;
    for (const [text, value] of Object.entries(sent)) {
      const uuid = parseUuid(text);
      if (uuid === undefined) problem([text], `${quoted(text)} is not the uuid of a characteristic`);
      const attributes = readRawAttributes(value, (path, message) => problem([text, ...path], message));
      if (uuid === undefined || attributes === undefined) {
        problems += 1;
        if (problems === MAX_PROBLEMS) break;
      } else {
        raw.set(uuids.length, attributes);
        uuids.push(uuid);
      }
    }
    if (problems > 0) return z.NEVER;
    const words = wordsOfUuids(uuids);
    const { firstDuplicate } = new UuidIndex(words, uuids.length);
    if (firstDuplicate >= 0) {
      const uuid = uuids[firstDuplicate] as string;
      context.addIssue({ code: 'custom', path: [uuid], message: `the characteristic ${uuid} stands there twice, in two spellings` });
      return z.NEVER;
    }
    return {
      characteristics: { count: uuids.length, words },
      values: new Float64Array(uuids.length),
      digits: undefined,
      texts: new Map(),
      raw,
    };
  })
  .meta({
    type: 'object',
    additionalProperties: { type: 'object', additionalProperties: { type: ['string', 'number', 'boolean', 'null'] } },
  });

interface ParsedMeasurement {
  uuid: string;
  partUuid?: string | null | undefined;
  attributes?: RawAttributes | undefined;
  comment?: string | null | undefined;
  characteristics?: SentValues | null | undefined;
}

function sentOf({ uuid, partUuid, attributes, comment, characteristics }: ParsedMeasurement): SentMeasurement {
  return {
    uuid,
    partUuid: partUuid ?? undefined,
    attributes: attributes ?? {},
    comment: comment ?? undefined,
    values: characteristics ?? undefined,
  };
}

/** One measurement with values. spec: inspection-service.md, Values; decisions.md 2.7 */
export const measurementWithValuesSchema = members({ ...head, characteristics: characteristicsSchema.nullish() }).transform(sentOf);

/** The body of `/values`. */
export const measurementsWithValuesSchema = listOf(measurementWithValuesSchema, 'must be an array of measurements');

/** The body of `/measurements`; any values in it are ignored. spec: inspection-service.md, Measurements POST */
export const measurementsSchema = listOf(members(head).transform(sentOf), 'must be an array of measurements');

/**
 * Parses a body of `/values` with the general JSON parser, for bodies that the scanner cannot read.
 * @throws ServiceError 400 with the position of the mistake
 */
export function parseMeasurements(body: Buffer): SentMeasurement[] {
  return parseWith(measurementsWithValuesSchema, parseJson(body), 'body') as SentMeasurement[];
}

/** A measurement of a request with its index in the body, from 0. */
export interface IndexedMeasurement extends SentMeasurement {
  index: number;
}

/** @param first index of the first one */
export function withIndexes(sent: readonly SentMeasurement[], first = 0): IndexedMeasurement[] {
  return sent.map((measurement, i) => ({ ...measurement, index: first + i }));
}

/** Names a measurement of a request in messages. */
export function pointerTo({ uuid, index }: IndexedMeasurement): string {
  return `[${index}] (measurement ${uuid})`;
}

/**
 * @param seen indexes of the uuids before, by uuid; the new ones are added
 * @throws ServiceError 400 a uuid stands twice in one request
 */
export function rejectDuplicates(sent: readonly IndexedMeasurement[], seen = new Map<string, number>()): void {
  for (const { uuid, index } of sent) {
    const other = seen.get(uuid);
    if (other !== undefined) throw invalidField(`[${index}].uuid`, `The uuid ${uuid} stands in [${other}] already.`);
    seen.set(uuid, index);
  }
}
