import { randomUUID } from 'node:crypto';
import { createPart, send } from '../rest-calls.ts';
import type { MeasuredPart } from './measured-part.ts';

/** Keys of the attributes of the bodies besides the time. */
const KEYS = [30001, 30002, 30003, 30004, 30005, 30006, 30007];
/** Keys of nominal value, lower and upper tolerance. */
const LIMIT_KEYS = [2101, 2110, 2111];
export const ATTRIBUTE_KEYS = ['4', ...KEYS.map(String)] as const;

/** Creates parts below twenty others, each with characteristics, and the definitions of their measurements' attributes. */
export async function createMeasuredPlan(url: string, parts: number, characteristics: number): Promise<MeasuredPart[]> {
  await send(
    url,
    'POST',
    'configuration/Measurement',
    KEYS.map((key) => definition(key, { type: 'AlphaNumeric', length: 60 })),
  );
  await send(
    url,
    'POST',
    'configuration/Characteristic',
    LIMIT_KEYS.map((key) => definition(key, { type: 'Float' })),
  );
  for (let i = 0; i < 20; i += 1) await createPart(url, `line ${i}`);
  const measured: MeasuredPart[] = [];
  for (let i = 0; i < parts; i += 1) {
    const name = `line ${i % 20}/measured ${i}`;
    const uuid = await createPart(url, name);
    const items = Array.from({ length: characteristics }, (_, k) => ({
      uuid: randomUUID(),
      path: `PPC:/${name}/characteristic ${k}/`,
      attributes: { 2101: String(10 + (k % 50)), 2110: String(9.9 + (k % 50)), 2111: String(10.08 + (k % 50)) },
    }));
    await send(url, 'POST', 'characteristics', items);
    measured.push({ uuid, characteristics: items.map((item) => item.uuid) });
  }
  return measured;
}

function definition(key: number, type: { type: string; length?: number }): object {
  return { key, description: '', definitionType: 'AttributeDefinition', ...type };
}
