import { randomUUID } from 'node:crypto';
import type { MeasuredPart } from './measured-part.ts';
import { ATTRIBUTE_KEYS } from './measured-plan.ts';

const UUID_BYTES = 36;
const BLANK_UUID = '0'.repeat(UUID_BYTES);
const UUID_NAME = '{"uuid":"';

/** A body of `POST /values` that gets new uuids each time it is sent, at little cost for the client. */
export class MeasurementBody {
  private readonly bytes: Buffer;
  private readonly offsets: number[] = [];

  /** @param first index of the first part; measurements use the parts in turn */
  constructor(parts: readonly MeasuredPart[], count: number, first: number) {
    const measurements = Array.from({ length: count }, (_, i) =>
      measurementText(parts[(first + i) % parts.length] as MeasuredPart, first + i),
    );
    this.bytes = Buffer.from(`[${measurements.join(',')}]`);
    for (let at = this.bytes.indexOf(UUID_NAME); at >= 0; at = this.bytes.indexOf(UUID_NAME, at + 1))
      this.offsets.push(at + UUID_NAME.length);
  }

  next(): Buffer {
    for (const offset of this.offsets) this.bytes.write(randomUUID(), offset, 'latin1');
    return this.bytes;
  }
}

/** Formats eight attributes and a value of each characteristic, with six fraction digits without trailing zeros. */
function measurementText({ uuid, characteristics }: MeasuredPart, number: number): string {
  const time = new Date(Date.UTC(2026, 0, 1) + number * 1000).toISOString().replace('.000Z', 'Z');
  const texts = [
    time,
    `Batch ${number % 40}`,
    `Machine ${number % 5}`,
    `Operator ${number % 12}`,
    `Text of measurement ${number}`,
    'CMM',
    `Order ${number % 100}`,
    `${20 + (number % 7)}`,
  ];
  const attributes = Object.fromEntries(ATTRIBUTE_KEYS.map((key, i) => [key, texts[i]]));
  const values = characteristics.map((characteristic, i) => `"${characteristic}":{"1":"${measuredValue(number, i)}"}`);
  return `${UUID_NAME}${BLANK_UUID}","partUuid":"${uuid}","attributes":${JSON.stringify(attributes)},"characteristics":{${values.join(',')}}}`;
}

function measuredValue(measurement: number, characteristic: number): string {
  const drift = Math.sin(measurement * 12.9898 + characteristic * 78.233) * 43758.5453;
  return String(Math.round((10 + (characteristic % 50) + (drift - Math.floor(drift)) / 10) * 1e6) / 1e6);
}
