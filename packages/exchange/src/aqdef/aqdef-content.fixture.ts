import fc from 'fast-check';
import type { Attributes, FileCharacteristic, FileMeasurement, FilePart } from '../content.ts';

/** A plan and its measurements, as a file can hold them. */
export interface AnyContent {
  parts: FilePart[];
  measurements: FileMeasurement[];
}

/** Texts without control characters and without blanks at their ends. */
const anyText = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 15 })
  .map((text) => text.replace(/\p{Cc}|\p{Surrogate}/gu, '').trim())
  .filter((text) => text.length > 0);
/** A batch that begins with # would lose it. */
const anyBatch = anyText.map((text) => text.replace(/^#+/, '').trim()).filter((text) => text.length > 0);
const anyNumber = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
  fc.integer({ min: -1_000_000, max: 1_000_000 }).map((n) => (n / 1000).toFixed(3)),
);
const anyTime = fc
  .date({ min: new Date('1980-01-01T00:00:00Z'), max: new Date('2099-12-31T00:00:00Z'), noInvalidDate: true })
  .chain((date) =>
    fc.boolean().map((isWhole) => (isWhole ? date.toISOString().replace(/\.\d+Z/, 'Z') : date.toISOString().replace('.000Z', 'Z'))),
  );

const optional = (fields: Record<string, fc.Arbitrary<string>>): fc.Arbitrary<Attributes> =>
  fc.record(fields, { requiredKeys: [] }).map((attributes) => ({ ...attributes }) as Attributes);

const anyPartFields = optional({ 1002: anyText, 1003: anyText, 1041: anyText, 1900: anyText });
const anyCharacteristicFields = optional({
  2002: anyText,
  2142: anyText,
  2101: anyNumber,
  2120: fc.constantFrom('0', '1', '2'),
  8014: anyNumber,
});
const anyMeasurementFields = optional({
  4: anyTime,
  5: anyText,
  6: anyBatch,
  8: anyText,
  10: anyText,
  11: anyNumber,
  14: anyText,
  53: anyText,
});
const anyValueFields = optional({
  2: fc.constantFrom('1', '129', '290'),
  5: fc.oneof(fc.constantFrom('3', '3,7'), anyText).filter((text) => text !== '0'),
});

/** Characteristics by size: each number is the index of its parent among those before it. */
const anyTree = fc.array(fc.nat(), { minLength: 1, maxLength: 6 });

interface Draft {
  index: number;
  attributes: Attributes;
  children: Draft[];
}

const anyPart = fc.record({
  attributes: anyPartFields,
  tree: anyTree,
  fields: fc.array(anyCharacteristicFields, { minLength: 6, maxLength: 6 }),
  measurements: fc.array(
    fc.record({
      attributes: anyMeasurementFields,
      isMeasured: fc.array(fc.boolean(), { minLength: 6, maxLength: 6 }),
      values: fc.array(anyNumber, { minLength: 6, maxLength: 6 }),
      valueFields: fc.array(anyValueFields, { minLength: 6, maxLength: 6 }),
    }),
    { maxLength: 5 },
  ),
});

/** Any plan and measurements that AQDEF can hold, in the form in which the reader gives them. */
export const anyContent: fc.Arbitrary<AnyContent> = fc.array(anyPart, { minLength: 1, maxLength: 3 }).map((drawn) => {
  let next = 1;
  const parts: FilePart[] = [];
  const measurements: FileMeasurement[] = [];
  drawn.forEach(({ attributes, tree, fields, measurements: drawnMeasurements }, p) => {
    const first = next;
    const drafts: Draft[] = tree.map((_, i) => ({ index: next + i, attributes: { ...fields[i], 2001: `C${i}` }, children: [] }));
    next += tree.length;
    const roots: Draft[] = [];
    drafts.forEach((draft, i) => {
      const parent = (tree[i] ?? 0) % (i + 1);
      if (parent === i) roots.push(draft);
      else drafts[parent]?.children.push(draft);
    });
    const number = `P${p}`;
    parts.push({
      index: p + 1,
      name: number,
      attributes: { ...attributes, 1001: number },
      characteristics: roots as unknown as FileCharacteristic[],
    });
    for (const { attributes: own, isMeasured, values, valueFields } of drawnMeasurements) {
      const measured = tree.map((_, i) => i).filter((i) => isMeasured[i]);
      const withFields = measured.map((i) => valueFields[i] ?? {});
      const valueAttributes = new Map(withFields.flatMap((one, index) => (Object.keys(one).length > 0 ? [[index, one] as const] : [])));
      // A line that says nothing is no measurement.
      if (measured.length === 0 && Object.keys(own).length === 0) continue;
      measurements.push({
        part: p + 1,
        line: 0,
        attributes: own,
        characteristics: measured.map((i) => first + i),
        values: measured.map((i) => values[i] as string),
        valueAttributes: valueAttributes.size > 0 ? valueAttributes : undefined,
      });
    }
  });
  return { parts, measurements };
});

/** The part of a read file that a written one must have. Names are left out, since they follow from the attributes. */
export function comparable(parts: readonly FilePart[], measurements: readonly FileMeasurement[]): unknown {
  const characteristicsOf = (characteristics: readonly FileCharacteristic[]): unknown[] =>
    characteristics.map(({ index, attributes, children }) => ({ index, attributes, children: characteristicsOf(children) }));
  return {
    parts: parts.map(({ index, attributes, characteristics }) => ({
      index,
      attributes,
      characteristics: characteristicsOf(characteristics),
    })),
    measurements: measurements.map(({ part, attributes, characteristics, values, valueAttributes }) => ({
      part,
      attributes,
      characteristics,
      values,
      valueAttributes: [...(valueAttributes ?? [])].sort(([a], [b]) => a - b),
    })),
  };
}
