import type { FileMeasurement } from '@sinebar/exchange';
import { CANONICAL, encodeExactText, IN_EXTRAS } from '../../../measurements/codec/exact-text.ts';
import type { MeasurementMessage, NumberTexts, PackedFields, ReadMeasurement } from './reading-messages.ts';

/** Values, measurements and characters of attributes after which a message is sent. */
const FULL = { values: 16_384, measurements: 1000, characters: 256 * 1024 } as const;
const NO_TEXTS: NumberTexts['texts'] = new Map();
const NO_VALUES: NumberTexts = { values: new Float64Array(), digits: undefined, texts: NO_TEXTS };

/** Collects measurements until a message is full. */
export class MeasurementPacker {
  private readonly areValuesWanted: boolean;
  private taken: FileMeasurement[] = [];
  private fields: string[] = [];
  private valueCount = 0;
  private characters = 0;
  private lastList: readonly number[] | undefined;

  constructor(areValuesWanted: boolean) {
    this.areValuesWanted = areValuesWanted;
  }

  /** @returns whether the message is full */
  add(measurement: FileMeasurement): boolean {
    const { attributes, valueAttributes, values } = measurement;
    const fields: PackedFields = valueAttributes ? [attributes, [...valueAttributes]] : [attributes];
    const json = JSON.stringify(fields);
    // Values that nobody wants are not kept until the message is full.
    this.taken.push(this.areValuesWanted ? measurement : { ...measurement, characteristics: [], values: [] });
    this.fields.push(json);
    this.characters += json.length;
    if (this.areValuesWanted) this.valueCount += values.length;
    return this.valueCount >= FULL.values || this.taken.length >= FULL.measurements || this.characters >= FULL.characters;
  }

  /** Takes the measurements out. @returns `undefined` when there are none */
  take(): Omit<MeasurementMessage, 'readBytes'> | undefined {
    const { taken, areValuesWanted } = this;
    if (taken.length === 0) return undefined;
    const listIndexes = new Int32Array(taken.length);
    const lists: (Int32Array | undefined)[] = [undefined];
    const known = new Map<readonly number[], number>();
    if (this.lastList) known.set(this.lastList, 0);
    if (areValuesWanted) {
      taken.forEach(({ characteristics }, i) => {
        let index = known.get(characteristics);
        if (index === undefined) {
          known.set(characteristics, (index = lists.length));
          lists.push(Int32Array.from(characteristics));
        }
        listIndexes[i] = index;
        this.lastList = characteristics;
      });
    }
    const message = {
      kind: 'measurements' as const,
      parts: Int32Array.from(taken, ({ part }) => part),
      lines: Int32Array.from(taken, ({ line }) => line),
      counts: Int32Array.from(taken, ({ values }) => (areValuesWanted ? values.length : 0)),
      listIndexes,
      lists,
      fields: `[${this.fields.join(',')}]`,
      ...(areValuesWanted ? encoded(taken, this.valueCount) : NO_VALUES),
    };
    this.taken = [];
    this.fields = [];
    this.valueCount = 0;
    this.characters = 0;
    return message;
  }
}

function encoded(measurements: readonly FileMeasurement[], count: number): NumberTexts {
  const values = new Float64Array(count);
  const texts = new Map<number, string>();
  let digits: Uint8Array | undefined;
  let index = 0;
  for (const { values: written } of measurements) {
    for (const text of written) {
      const exact = encodeExactText(text);
      // The readers give numbers only.
      if (!exact) throw new Error(`the text of a value is no number: ${text}`);
      values[index] = exact.value;
      if (exact.digits !== CANONICAL) {
        digits ??= new Uint8Array(count).fill(CANONICAL);
        digits[index] = exact.digits;
        if (exact.digits === IN_EXTRAS) texts.set(index, text);
      }
      index += 1;
    }
  }
  return { values, digits, texts };
}

/** Takes measurements out of messages; equal lists of characteristics are one array. */
export class MeasurementUnpacker {
  private lastList: readonly number[] = [];

  unpack({ parts, lines, counts, listIndexes, lists: sent, fields, values, digits, texts }: MeasurementMessage): ReadMeasurement[] {
    const lists = sent.map((list) => (list ? [...list] : this.lastList));
    const packed = JSON.parse(fields) as PackedFields[];
    const textsOf = textsByMeasurement(counts, texts);
    let start = 0;
    return packed.map(([attributes, ofValues], i): ReadMeasurement => {
      const end = start + (counts[i] as number);
      this.lastList = lists[listIndexes[i] as number] as readonly number[];
      const numbers = { values: values.subarray(start, end), digits: digits?.subarray(start, end), texts: textsOf.get(i) ?? NO_TEXTS };
      start = end;
      return {
        part: parts[i] as number,
        line: lines[i] as number,
        attributes,
        characteristics: this.lastList,
        values: numbers,
        valueAttributes: ofValues && new Map(ofValues),
      };
    });
  }
}

/** Texts by measurement, and by the index within it. @param texts by the index in the message, in ascending order */
function textsByMeasurement(counts: Int32Array, texts: ReadonlyMap<number, string>): Map<number, Map<number, string>> {
  const byMeasurement = new Map<number, Map<number, string>>();
  let measurement = 0;
  let start = 0;
  for (const [index, text] of texts) {
    while (index >= start + (counts[measurement] as number)) {
      start += counts[measurement] as number;
      measurement += 1;
    }
    const own = byMeasurement.get(measurement);
    if (own) own.set(index - start, text);
    else byMeasurement.set(measurement, new Map([[index - start, text]]));
  }
  return byMeasurement;
}
