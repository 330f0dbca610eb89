import type { Attributes, FileCatalogEntry, FilePart } from '../content.js';
import { UnreadableFileError, shown, type Problems } from '../problems.js';
import { readNumberText } from '../number-text.js';
import { cleaned } from '../texts.js';
import { CATALOGS, fieldOf } from './k-fields.js';
import { HierarchyDraft } from './hierarchy.js';
import { planOf } from './plan-of-draft.js';

/** Limits of one file, so that a damaged one takes no memory. */
const MAX_PARTS = 10_000;
const MAX_CHARACTERISTICS = 200_000;
const MAX_CATALOG_ENTRIES = 100_000;

/** Ids of parts and characteristics within the file; they have no meaning outside. */
const INTERNAL_KEYS: ReadonlySet<number> = new Set([1000, 2000]);
const SIMPLE_GROUP_PARENT = 2030;
const SIMPLE_GROUP_CHILD = 2031;

/** A part or characteristic while its fields are read. */
export interface ItemDraft {
  index: number;
  line: number;
  attributes: Map<number, string>;
}

export interface CharacteristicDraft extends ItemDraft {
  part: number;
}

/** Collects parts, characteristics, groups and catalogs of an AQDEF file. */
export class PlanDraft {
  readonly parts = new Map<number, ItemDraft>();
  readonly characteristics = new Map<number, CharacteristicDraft>();
  private readonly problems: Problems;
  private readonly hierarchy = new HierarchyDraft();
  private readonly commonOfParts = new Map<number, string>();
  private readonly commonOfCharacteristics = new Map<number, string>();
  private readonly catalogs = new Map<
    string,
    { attribute: number; index: number; id: string | undefined; attributes: Record<string, string> }
  >();
  /** The part to which the next characteristics belong. */
  private currentPart = 1;
  private hasCharacteristicsOfPart = false;
  /** K0100. */
  declaredCharacteristics: number | undefined;

  constructor(problems: Problems) {
    this.problems = problems;
  }

  /** Reads a field K1xxx. Index 0 means all parts. @returns whether another part begins */
  readPartField(key: number, index: number, written: string, line: number): boolean {
    const text = this.checked(key, written, line);
    if (index === 0) {
      if (text !== undefined) this.commonOfParts.set(key, text);
      return false;
    }
    const isOther = index !== this.currentPart;
    if (!isOther && this.hasCharacteristicsOfPart) {
      const name = `K${key}`;
      this.problems.warnOnce(
        'part after characteristics',
        line,
        name,
        `The field ${name} of part ${index} stands after characteristics of the part. Write all K1xxx of a part before its first K2xxx.`,
      );
    }
    this.currentPart = index;
    if (isOther) this.hasCharacteristicsOfPart = false;
    const part = this.partAt(index, line);
    if (text !== undefined) part.attributes.set(key, text);
    return isOther;
  }

  /** Reads a field K2xxx or K8xxx. Index 0 means all characteristics. */
  readCharacteristicField(key: number, index: number, written: string, line: number): void {
    if (key === SIMPLE_GROUP_PARENT || key === SIMPLE_GROUP_CHILD) {
      const group = this.wholeNumber(key, written, line);
      // 0 stands for no group.
      if (group !== undefined && group > 0) this.hierarchy.readSimpleGroup(key === SIMPLE_GROUP_PARENT, index, group);
      return;
    }
    const text = this.checked(key, written, line);
    if (index === 0) {
      if (text !== undefined) this.commonOfCharacteristics.set(key, text);
      return;
    }
    const characteristic = this.characteristicAt(index, line);
    if (text !== undefined && !INTERNAL_KEYS.has(key)) characteristic.attributes.set(key, text);
  }

  /** Reads a field K5xxx. */
  readGroupField(key: number, index: number, written: string, line: number): void {
    if (this.hierarchy.readName(key, index, written.trim())) return;
    if (!HierarchyDraft.isTreeKey(key)) {
      this.problems.warnOnce(`K${key}`, line, `K${key}`, `The field K${key} is not known and is left out.`);
      return;
    }
    const value = this.wholeNumber(key, written, line);
    if (value !== undefined) this.hierarchy.readTree(key, index, value);
  }

  /** Reads a field K4xxx. */
  readCatalogField(key: number, index: number, written: string, line: number): void {
    const catalog = CATALOGS.find(({ from, to }) => key >= from && key <= to);
    if (!catalog) {
      this.problems.warnOnce(`K${key}`, line, `K${key}`, `The catalog field K${key} is not known and is left out.`);
      return;
    }
    const place = `${catalog.attribute}/${index}`;
    const entry = this.catalogs.get(place) ?? { attribute: catalog.attribute, index, id: undefined, attributes: {} };
    const text = written.trim();
    if (text.length === 0) return;
    if (key === catalog.from) entry.id = text;
    else entry.attributes[String(key)] = text;
    this.catalogs.set(place, entry);
    if (this.catalogs.size > MAX_CATALOG_ENTRIES) throw tooMany('catalog entries', MAX_CATALOG_ENTRIES, line);
  }

  /**
   * Finds a characteristic that has values, or creates one that the file counts in K0100 but does not describe.
   * @returns `undefined` when the file has no such characteristic
   */
  measured(index: number, line: number): CharacteristicDraft | undefined {
    const known = this.characteristics.get(index);
    if (known) return known;
    if (this.parts.size === 0 || index > (this.declaredCharacteristics ?? 0)) return undefined;
    return this.characteristicAt(index, line);
  }

  /** Builds the plan of the whole file. */
  finish(): { parts: FilePart[]; catalogEntries: FileCatalogEntry[] } {
    for (const characteristic of this.characteristics.values()) addMissing(characteristic.attributes, this.commonOfCharacteristics);
    for (const part of this.parts.values()) addMissing(part.attributes, this.commonOfParts);
    return {
      parts: planOf(this.parts, this.characteristics, this.hierarchy, this.problems),
      catalogEntries: [...this.catalogs.values()].map(({ attribute, index, id, attributes }) => ({
        attribute,
        number: id ?? String(index),
        attributes: attributes satisfies Attributes,
      })),
    };
  }

  private partAt(index: number, line: number): ItemDraft {
    const known = this.parts.get(index);
    if (known) return known;
    if (this.parts.size >= MAX_PARTS) throw tooMany('parts', MAX_PARTS, line);
    const part = { index, line, attributes: new Map<number, string>() };
    this.parts.set(index, part);
    return part;
  }

  private characteristicAt(index: number, line: number): CharacteristicDraft {
    const known = this.characteristics.get(index);
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
    if (this.characteristics.size >= MAX_CHARACTERISTICS) throw tooMany('characteristics', MAX_CHARACTERISTICS, line);
    this.partAt(this.currentPart, line);
    this.hasCharacteristicsOfPart = true;
    const characteristic = { index, line, part: this.currentPart, attributes: new Map<number, string>() };
    this.characteristics.set(index, characteristic);
    return characteristic;
  }

  /** @returns the text as it is kept, `undefined` for an empty or unusable one */
  private checked(key: number, written: string, line: number): string | undefined {
    const text = cleaned(written);
    if (text.length === 0 || INTERNAL_KEYS.has(key)) return undefined;
    const { kind, length } = fieldOf(key);
    const name = `K${String(key).padStart(4, '0')}`;
    if (kind === 'number') {
      const number = readNumberText(text);
      if (number === undefined)
        this.problems.warn(line, name, `${shown(text)} is no number, so that ${name} is left out. Write a number such as 19.95 or 19,95.`);
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
