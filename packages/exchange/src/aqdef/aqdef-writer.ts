import type { Attributes, FileCatalogEntry, FileCharacteristic, FileMeasurement, FilePart } from '../content.ts';
import { AqdefClock } from './aqdef-time.ts';
import {
  ATTRIBUTIVE_LINE_KEYS,
  ATTRIBUTIVE_TYPES,
  CATALOGS,
  CHARACTERISTIC_SEPARATOR,
  EVENTS_KEY,
  FIELD_SEPARATOR,
  fieldName,
  SIZE_FACTOR,
  TYPE_ATTRIBUTE,
  TYPE_FIELD,
  VALUE_LINE_KEYS,
} from './k-fields.ts';
import { cleaned } from '../texts.ts';

export interface AqdefContent {
  parts: readonly FilePart[];
  catalogEntries?: readonly FileCatalogEntry[] | undefined;
}

const BYTE_ORDER_MARK = '\ufeff';
const END = '\r\n';
const [VALUE, VALUE_ATTRIBUTE, TIME, BATCH, SAMPLE_SIZE, ERRORS] = [1, 2, 4, 6, 20, 21] as const;
const PLACEHOLDER = '255';
const ONE_PART = '1';
/** Text of the field without meaning behind the number of errors. */
const UNNAMED_FIELD = '0';
/** Keys below this one belong to values. */
const END_OF_VALUE_KEYS = 100;
const LINE_KEYS: ReadonlySet<number> = new Set([...VALUE_LINE_KEYS, ...ATTRIBUTIVE_LINE_KEYS]);

/**
 * Writes an AQDEF file: the plan first, then one line for each measurement, in UTF-8.
 * Measurements of a part without characteristics are left out, because AQDEF cannot hold them.
 * @param zone of the times in the file
 */
export async function* writeAqdef(
  { parts, catalogEntries = [] }: AqdefContent,
  measurements: AsyncIterable<readonly FileMeasurement[]> | Iterable<readonly FileMeasurement[]>,
  zone = 'UTC',
): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + planText(parts, catalogEntries);
  const writer = new ValueWriter(parts, new AqdefClock(zone));
  for await (const some of measurements) {
    let text = '';
    for (const measurement of some) text += writer.lineOf(measurement);
    if (text.length > 0) yield text;
  }
}

function planText(parts: readonly FilePart[], catalogEntries: readonly FileCatalogEntry[]): string {
  const lines: string[] = [];
  const count = parts.reduce((sum, { characteristics }) => sum + countOf(characteristics), 0);
  lines.push(`K0100 ${count}`);
  for (const { index, attributes, characteristics } of parts) {
    // The field is written even when empty: it begins the part.
    if (attributes['1001'] === undefined) lines.push(`K1001/${index}`);
    lines.push(...fieldLines(attributes, index, (key) => key >= 1000 && key < 2000));
    writeCharacteristics(characteristics, lines);
  }
  lines.push(...catalogLines(catalogEntries), ...treeLines(parts));
  return lines.map((line) => line + END).join('');
}

function writeCharacteristics(characteristics: readonly FileCharacteristic[], lines: string[]): void {
  for (const { index, attributes, children } of characteristics) {
    if (index !== undefined) {
      if (attributes['2001'] === undefined) lines.push(`K2001/${index}`);
      lines.push(...fieldLines(withType(attributes), index, (key) => (key >= 2000 && key < 3000) || (key >= 8000 && key < 9000)));
    }
    writeCharacteristics(children, lines);
  }
}

/** The attributes with the type in its field. The attribute of that number is a direction, which AQDEF has no field for. */
function withType(attributes: Attributes): Attributes {
  const { [TYPE_FIELD]: _direction, [TYPE_ATTRIBUTE]: type, ...others } = attributes;
  return type === undefined ? others : { ...others, [TYPE_FIELD]: type };
}

function countOf(characteristics: readonly FileCharacteristic[]): number {
  return characteristics.reduce((sum, { index, children }) => sum + (index === undefined ? 0 : 1) + countOf(children), 0);
}

function fieldLines(attributes: Attributes, index: number, isOwn: (key: number) => boolean): string[] {
  return Object.entries(attributes)
    .map(([key, text]) => [Number(key), cleaned(text)] as const)
    .filter(([key, text]) => isOwn(key) && text.length > 0)
    .sort(([a], [b]) => a - b)
    .map(([key, text]) => `${fieldName(key)}/${index} ${text}`);
}

function catalogLines(entries: readonly FileCatalogEntry[]): string[] {
  const counts = new Map<number, number>();
  return entries.flatMap(({ attribute, number, attributes }) => {
    const catalog = CATALOGS.find((one) => one.attribute === attribute);
    if (!catalog) return [];
    const index = (counts.get(attribute) ?? 0) + 1;
    counts.set(attribute, index);
    const id = `${fieldName(catalog.from)}/${index} ${cleaned(number)}`;
    return [id, ...fieldLines(attributes, index, (key) => key > catalog.from && key <= catalog.to)];
  });
}

/** Fields of the tree, where a file has groups or characteristics below others. */
function treeLines(parts: readonly FilePart[]): string[] {
  const isTree = parts.some(({ characteristics }) =>
    characteristics.some(({ index, children }) => index === undefined || children.length > 0),
  );
  if (!isTree) return [];
  const groups: string[] = [];
  const nodes: string[] = [];
  const bindings: string[] = [];
  let node = 0;
  let group = 0;
  const addNodes = (characteristics: readonly FileCharacteristic[], parent: number) => {
    for (const { index, attributes, children } of characteristics) {
      node += 1;
      const own = node;
      if (index === undefined) {
        group += 1;
        if (attributes['2001'] !== undefined) groups.push(`K5001/${group} ${cleaned(attributes['2001'])}`);
        groups.push(`K5002/${group} ${cleaned(attributes['2002'] ?? '')}`);
        nodes.push(`K5113/${own} ${group}`);
      } else nodes.push(`K5112/${own} ${index}`);
      bindings.push(`K5103/${parent} ${own}`);
      addNodes(children, own);
    }
  };
  for (const { index, characteristics } of parts) {
    node += 1;
    nodes.push(`K5111/${node} ${index}`);
    addNodes(characteristics, node);
  }
  return [...groups, ...nodes, ...bindings];
}

/** Writes measurements as value lines. */
class ValueWriter {
  private readonly clock: AqdefClock;
  private readonly attributive = new Set<number>();
  private readonly firstOfPart = new Map<number, number>();

  constructor(parts: readonly FilePart[], clock: AqdefClock) {
    this.clock = clock;
    for (const { index, characteristics } of parts) this.note(index, characteristics);
  }

  private note(part: number, characteristics: readonly FileCharacteristic[]): void {
    for (const { index, attributes, children } of characteristics) {
      if (index !== undefined) {
        if (ATTRIBUTIVE_TYPES.has(attributes[TYPE_ATTRIBUTE] ?? '')) this.attributive.add(index);
        this.firstOfPart.set(part, Math.min(this.firstOfPart.get(part) ?? index, index));
      }
      this.note(part, children);
    }
  }

  lineOf(measurement: FileMeasurement): string {
    const { part, characteristics, values, valueAttributes, attributes } = measurement;
    const { [EVENTS_KEY]: _events, ...ofEachValue } = attributes;
    const common = this.fieldsOf(ofEachValue);
    const ascending = isAscending(characteristics)
      ? undefined
      : characteristics.map((_, i) => i).sort((a, b) => (characteristics[a] ?? 0) - (characteristics[b] ?? 0));
    let line = '';
    let position = 1;
    for (let i = 0; i < characteristics.length; i += 1) {
      const at = ascending?.[i] ?? i;
      const index = characteristics[at] as number;
      line += CHARACTERISTIC_SEPARATOR.repeat(index - position);
      position = index;
      const own = valueAttributes?.get(at);
      const fields = own ? this.fieldsOf({ ...ofEachValue, ...own }) : common;
      line += this.valueText(index, values[at] as string, own, fields);
    }
    if (characteristics.length === 0) {
      const first = this.firstOfPart.get(part);
      if (first === undefined) return '';
      line = CHARACTERISTIC_SEPARATOR.repeat(first - 1) + this.placeholder(first, common);
    }
    return line + END + this.furtherFields(measurement);
  }

  /** Fields of a value line from the time on, without empty ones at the end. */
  private fieldsOf(attributes: Attributes): string {
    let text = '';
    let empty = '';
    for (const key of VALUE_LINE_KEYS) {
      if (key === VALUE || key === VALUE_ATTRIBUTE) continue;
      const field = this.fieldText(key, attributes[key]);
      if (field.length > 0) {
        text += empty + FIELD_SEPARATOR + field;
        empty = '';
      } else empty += FIELD_SEPARATOR;
    }
    return text;
  }

  private valueText(index: number, value: string, own: Attributes | undefined, fields: string): string {
    const isAttributive = this.attributive.has(index);
    const attribute = own?.[VALUE_ATTRIBUTE] ?? (fields.length > 0 || isAttributive ? '0' : '');
    const start = isAttributive ? [sizeText(own?.[SAMPLE_SIZE] ?? ONE_PART), value, UNNAMED_FIELD].join(FIELD_SEPARATOR) : value;
    return start + (attribute.length > 0 ? FIELD_SEPARATOR + cleaned(attribute) + fields : '');
  }

  private placeholder(index: number, fields: string): string {
    return (this.attributive.has(index) ? FIELD_SEPARATOR + FIELD_SEPARATOR + UNNAMED_FIELD : '') + FIELD_SEPARATOR + PLACEHOLDER + fields;
  }

  /** Fields that a value line cannot hold. */
  private furtherFields({ characteristics, valueAttributes, attributes }: FileMeasurement): string {
    let text = '';
    for (const key of Object.keys(attributes)) {
      const number = Number(key);
      const field = isFurther(number) || number === EVENTS_KEY ? cleaned(attributes[key] ?? '') : '';
      if (field.length > 0) text += `${fieldName(number)}/0 ${field}${END}`;
    }
    for (const [position, own] of valueAttributes ?? []) {
      for (const [key, written] of Object.entries(own)) {
        const number = Number(key);
        const isLine = number === SAMPLE_SIZE ? this.attributive.has(characteristics[position] as number) : !isFurther(number);
        const field = isLine ? '' : cleaned(written);
        if (field.length > 0) text += `${fieldName(number)}/${characteristics[position]} ${field}${END}`;
      }
    }
    return text;
  }

  private fieldText(key: number, written: string | undefined): string {
    if (written === undefined) return '';
    if (key === TIME) return this.clock.write(written);
    const text = cleaned(written);
    // A batch that is no number of a catalog begins with #.
    return key === BATCH && text.length > 0 && !/^\d+$/.test(text) ? `#${text}` : text;
  }
}

/** Writes a sample size in thousandths of parts. */
function sizeText(size: string): string {
  const number = Number(size) * SIZE_FACTOR;
  return Number.isFinite(number) ? String(number) : cleaned(size);
}

function isFurther(key: number): boolean {
  return key > 0 && key < END_OF_VALUE_KEYS && key !== ERRORS && (key === SAMPLE_SIZE || !LINE_KEYS.has(key));
}

function isAscending(numbers: readonly number[]): boolean {
  for (let i = 1; i < numbers.length; i += 1) if ((numbers[i - 1] as number) >= (numbers[i] as number)) return false;
  return true;
}
