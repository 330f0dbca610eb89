import type { FileCatalogEntry, FilePart } from '../content.ts';
import { UnreadableFileError, shown, type Problems } from '../problems.ts';
import { readNumberText } from '../number-text.ts';
import { cleaned } from '../texts.ts';
import { HierarchyDraft } from './hierarchy.ts';
import { ATTRIBUTIVE_TYPES, CATALOGS, fieldName, fieldOf, LIMIT_KEYS, TYPE_ATTRIBUTE, TYPE_FIELD } from './k-fields.ts';
import { planOf } from './plan-of-draft.ts';
import { PlanTree } from './plan-tree.ts';
import { addAttributes, KnownItems, Section, type CharacteristicDraft, type ItemDraft, type ItemKeys } from './sections.ts';

/** Limits of one file, so that a damaged one takes no memory. */
const MAX_PARTS = 10_000;
const MAX_CHARACTERISTICS = 200_000;
const MAX_CATALOG_ENTRIES = 100_000;

/** Ids of parts and characteristics within the file; they have no meaning outside. */
const INTERNAL_KEYS: ReadonlySet<number> = new Set([1000, 2000]);
const SIMPLE_GROUP_PARENT = 2030;
const SIMPLE_GROUP_CHILD = 2031;

interface CatalogEntryDraft {
  attribute: number;
  number: string;
  attributes: Record<string, string>;
}

/** Items of the file by their indices in a header. */
interface SectionItems {
  parts: Map<number, ItemDraft>;
  characteristics: Map<number, CharacteristicDraft>;
}

/** Numbers and names by which a later header finds items again. */
const PART_KEYS: ItemKeys = { number: 1001, name: 1002, isToldByNumber: true };
const CHARACTERISTIC_KEYS: ItemKeys = { number: 2001, name: 2002, isToldByNumber: false };

/** Collects parts, characteristics, groups and catalogs of an AQDEF file. */
export class PlanDraft {
  /** Those of the whole file. */
  readonly parts = new Map<number, ItemDraft>();
  readonly characteristics = new Map<number, CharacteristicDraft>();
  private readonly problems: Problems;
  private readonly tree = new PlanTree();
  private readonly knownParts = new KnownItems<ItemDraft>(PART_KEYS);
  private readonly knownCharacteristics = new KnownItems<CharacteristicDraft>(CHARACTERISTIC_KEYS);
  private section = new Section();
  /** Items of the file by their indices in the last header and, as far as they are needed, in this one. */
  private before: SectionItems | undefined;
  private found: SectionItems | undefined;
  private lastPart = 0;
  private lastCharacteristic = 0;
  private readonly catalogs = new Map<string, CatalogEntryDraft>();
  private catalogsOfSection = new Map<string, CatalogEntryDraft>();

  constructor(problems: Problems) {
    this.problems = problems;
  }

  /** K0100 of the header. */
  get declaredCharacteristics(): number | undefined {
    return this.section.declaredCharacteristics;
  }

  set declaredCharacteristics(count: number) {
    this.section.declaredCharacteristics = count;
  }

  /** Begins another header with indices of its own. */
  beginSection(): void {
    this.endSection();
    this.section = new Section();
    this.before = this.found ?? { parts: new Map(this.parts), characteristics: new Map(this.characteristics) };
    this.found = { parts: new Map(), characteristics: new Map() };
    this.knownParts.begin();
    this.knownCharacteristics.begin();
  }

  /** Reads a field K1xxx. Index 0 means all parts. @returns whether another part begins */
  readPartField(key: number, index: number, written: string, line: number): boolean {
    const text = this.checked(key, written, line);
    const { section } = this;
    if (index === 0) {
      if (text !== undefined) section.commonOfParts.set(key, text);
      return false;
    }
    const isOther = index !== section.currentPart;
    if (!isOther && section.hasCharacteristicsOfPart) {
      const name = `K${key}`;
      this.problems.warnOnce(
        'part after characteristics',
        line,
        name,
        `The field ${name} of part ${index} stands after characteristics of the part. Write all K1xxx of a part before its first K2xxx.`,
      );
    }
    section.currentPart = index;
    if (isOther) section.hasCharacteristicsOfPart = false;
    const part = this.partAt(index, line);
    if (text !== undefined) part.attributes.set(key, text);
    return isOther;
  }

  /** Reads a field K2xxx or K8xxx. Index 0 means all characteristics. */
  readCharacteristicField(key: number, index: number, written: string, line: number): void {
    if (key === SIMPLE_GROUP_PARENT || key === SIMPLE_GROUP_CHILD) {
      const group = this.wholeNumber(key, written, line);
      // 0 stands for no group.
      if (group !== undefined && group > 0) this.section.hierarchy.readSimpleGroup(key === SIMPLE_GROUP_PARENT, index, group);
      return;
    }
    const text = this.checked(key, written, line);
    const attribute = key === TYPE_FIELD ? TYPE_ATTRIBUTE : key;
    if (index === 0) {
      if (text !== undefined) this.section.commonOfCharacteristics.set(attribute, text);
      return;
    }
    const characteristic = this.characteristicAt(index, line);
    if (text !== undefined && !INTERNAL_KEYS.has(key)) characteristic.attributes.set(attribute, text);
  }

  /** Reads a field K5xxx. */
  readGroupField(key: number, index: number, written: string, line: number): void {
    if (this.section.hierarchy.readName(key, index, cleaned(written))) return;
    if (!HierarchyDraft.isTreeKey(key)) {
      this.warnOfUnknown(`field K${key}`, key, line);
      return;
    }
    const value = this.wholeNumber(key, written, line);
    if (value !== undefined) this.section.hierarchy.readTree(key, index, value);
  }

  /** Reads a field K4xxx. */
  readCatalogField(key: number, index: number, written: string, line: number): void {
    const catalog = CATALOGS.find(({ from, to }) => key >= from && key <= to);
    if (!catalog) {
      this.warnOfUnknown(`catalog field K${key}`, key, line);
      return;
    }
    const text = cleaned(written);
    if (text.length === 0) return;
    const entryKey = `${catalog.attribute}/${index}`;
    const entry = this.catalogsOfSection.get(entryKey) ?? { attribute: catalog.attribute, number: String(index), attributes: {} };
    if (key === catalog.from) entry.number = text;
    else entry.attributes[String(key)] = text;
    this.catalogsOfSection.set(entryKey, entry);
    if (this.catalogs.size + this.catalogsOfSection.size > MAX_CATALOG_ENTRIES) throw tooMany('catalog entries', MAX_CATALOG_ENTRIES, line);
  }

  /** Warns of a field that is not kept, once with the number of its lines. */
  warnOfUnknown(what: string, key: number, line: number): void {
    const name = fieldName(key);
    this.problems.warnCounted(name, line, name, (count) =>
      count === 1 ? `The ${what} is not known and is left out.` : `The ${what} is not known and is left out, on ${count} lines.`,
    );
  }

  /**
   * Finds a characteristic that has values, or creates one that the file counts in K0100 but does not describe.
   * @returns `undefined` when the file has no such characteristic
   */
  measured(index: number, line: number): CharacteristicDraft | undefined {
    const known = this.section.characteristics.get(index);
    if (known) return this.found === undefined ? known : this.inFile(known, this.found);
    if (this.section.parts.size === 0 || index > (this.declaredCharacteristics ?? 0)) return undefined;
    const created = this.characteristicAt(index, line);
    return this.found === undefined ? created : this.inFile(created, this.found);
  }

  /** Reports a value of a characteristic that the file does not have. */
  refuseValue(index: number, text: string, line: number): void {
    const message =
      `There is a value (${shown(text)}) for characteristic ${index}, but the file describes ${this.section.characteristics.size} characteristics. ` +
      `Describe it with K2001/${index} and count it in K0100.`;
    this.problems.error(line, 'K0001', message);
  }

  /** Whether the values of a characteristic are numbers of errors. */
  isAttributive({ attributes }: CharacteristicDraft): boolean {
    const type = attributes.get(TYPE_ATTRIBUTE) ?? this.section.commonOfCharacteristics.get(TYPE_ATTRIBUTE);
    return type !== undefined && ATTRIBUTIVE_TYPES.has(type);
  }

  /** Builds the plan of the whole file. */
  finish(): { parts: FilePart[]; catalogEntries: FileCatalogEntry[] } {
    this.endSection();
    return {
      parts: planOf(this.parts, this.characteristics, this.tree, this.problems),
      catalogEntries: [...this.catalogs.values()],
    };
  }

  private endSection(): void {
    const { section, found } = this;
    for (const characteristic of section.characteristics.values()) addMissing(characteristic.attributes, section.commonOfCharacteristics);
    for (const part of section.parts.values()) addMissing(part.attributes, section.commonOfParts);
    if (found) {
      for (const part of section.parts.values()) addAttributes(this.partInFile(part, found), part, 'part', this.problems);
      for (const one of section.characteristics.values()) addAttributes(this.inFile(one, found), one, 'characteristic', this.problems);
    } else {
      for (const part of section.parts.values()) this.knownParts.add('', part);
      for (const one of section.characteristics.values()) this.knownCharacteristics.add(String(one.part), one);
    }
    const indices = {
      partOf: (index: number) => found?.parts.get(index)?.index ?? index,
      characteristicOf: (index: number) => (found?.characteristics ?? section.characteristics).get(index),
    };
    this.tree.add(section.hierarchy, indices, section.characteristics.keys());
    for (const entry of this.catalogsOfSection.values()) {
      const entryKey = `${entry.attribute}/${entry.number}`;
      const known = this.catalogs.get(entryKey);
      if (known) known.attributes = { ...entry.attributes, ...known.attributes };
      else this.catalogs.set(entryKey, entry);
    }
    this.catalogsOfSection = new Map();
  }

  /** Finds the part of the file that a part of a later header is, or adds it. */
  private partInFile(part: ItemDraft, found: SectionItems): ItemDraft {
    const known = found.parts.get(part.written);
    if (known) return known;
    const isNamed = part.attributes.has(PART_KEYS.number) || part.attributes.has(PART_KEYS.name);
    let item = isNamed ? this.knownParts.find('', part) : this.before?.parts.get(part.written);
    if (!item) {
      if (this.parts.size >= MAX_PARTS) throw tooMany('parts', MAX_PARTS, part.line);
      item = { ...part, index: this.lastPart + 1 };
      this.notePart(item);
      this.knownParts.add('', item);
    }
    found.parts.set(part.written, item);
    return item;
  }

  /** Finds the characteristic of the file that one of a later header is, or adds it. */
  private inFile(characteristic: CharacteristicDraft, found: SectionItems): CharacteristicDraft {
    const known = found.characteristics.get(characteristic.written);
    if (known) return known;
    const part = this.partInFile(this.partAt(characteristic.part, characteristic.line), found).index;
    const { attributes, written } = characteristic;
    const isNamed = attributes.has(CHARACTERISTIC_KEYS.number) || attributes.has(CHARACTERISTIC_KEYS.name);
    const before = isNamed ? undefined : this.before?.characteristics.get(written);
    let item = isNamed ? this.knownCharacteristics.find(String(part), characteristic) : before?.part === part ? before : undefined;
    if (!item) {
      if (this.characteristics.size >= MAX_CHARACTERISTICS) throw tooMany('characteristics', MAX_CHARACTERISTICS, characteristic.line);
      item = { ...characteristic, part, index: this.lastCharacteristic + 1 };
      this.noteCharacteristic(item);
      this.knownCharacteristics.add(String(part), item);
    }
    found.characteristics.set(written, item);
    return item;
  }

  private notePart(part: ItemDraft): void {
    this.lastPart = Math.max(this.lastPart, part.index);
    this.parts.set(part.index, part);
  }

  private noteCharacteristic(characteristic: CharacteristicDraft): void {
    this.lastCharacteristic = Math.max(this.lastCharacteristic, characteristic.index);
    this.characteristics.set(characteristic.index, characteristic);
  }

  private partAt(index: number, line: number): ItemDraft {
    const known = this.section.parts.get(index);
    if (known) return known;
    if (this.section.parts.size >= MAX_PARTS) throw tooMany('parts', MAX_PARTS, line);
    const part = { index, written: index, line, attributes: new Map<number, string>() };
    this.section.parts.set(index, part);
    if (this.found === undefined) this.notePart(part);
    return part;
  }

  private characteristicAt(index: number, line: number): CharacteristicDraft {
    const { section } = this;
    const known = section.characteristics.get(index);
    if (known) return known;
    const declared = this.declaredCharacteristics;
    if (declared !== undefined && index > declared) {
      this.problems.warnOnce(
        'index above K0100',
        line,
        'K0100',
        `The file describes the characteristic ${index}, but K0100 counts ${declared}. Correct K0100 to the number of characteristics.`,
      );
    }
    if (section.characteristics.size >= MAX_CHARACTERISTICS) throw tooMany('characteristics', MAX_CHARACTERISTICS, line);
    this.partAt(section.currentPart, line);
    section.hasCharacteristicsOfPart = true;
    const characteristic = { index, written: index, line, part: section.currentPart, attributes: new Map<number, string>() };
    section.characteristics.set(index, characteristic);
    if (this.found === undefined) this.noteCharacteristic(characteristic);
    return characteristic;
  }

  /** @returns the text as it is kept, `undefined` for an empty or unusable one */
  private checked(key: number, written: string, line: number): string | undefined {
    const text = cleaned(written);
    if (text.length === 0 || INTERNAL_KEYS.has(key)) return undefined;
    const { kind, length } = fieldOf(key);
    const name = fieldName(key);
    if (kind === 'number') {
      const number = readNumberText(text);
      if (number === undefined) {
        const message = `${shown(text)} is no number, so that ${name} is left out. Write a number such as 19.95 or 19,95.`;
        this.problems.warn(line, name, message, LIMIT_KEYS.has(key));
      }
      return number;
    }
    if (length !== undefined && text.length > length) {
      const warning =
        `The text of ${name} has ${text.length} characters, AQDEF allows ${length}. It is kept; ` + 'shorten it for other programs.';
      this.problems.warn(line, name, warning);
    }
    return text;
  }

  private wholeNumber(key: number, written: string, line: number): number | undefined {
    const text = written.trim();
    if (text.length === 0) return undefined;
    if (/^\d{1,9}$/.test(text)) return Number(text);
    this.problems.warn(line, `K${key}`, `${shown(text)} is no index, so that K${key} is left out. Write a whole number.`);
    return undefined;
  }
}

function addMissing(attributes: Map<number, string>, common: ReadonlyMap<number, string>): void {
  for (const [key, text] of common) if (!attributes.has(key)) attributes.set(key, text);
}

function tooMany(what: string, limit: number, line: number): UnreadableFileError {
  return new UnreadableFileError({ line, message: `The file has more than ${limit} ${what}. Split it into several files.` });
}
