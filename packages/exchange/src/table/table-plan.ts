import type { FileCharacteristic, FilePart } from '../content.ts';
import { nameSiblings } from '../names.ts';
import { cleaned } from '../texts.ts';
import { UnreadableFileError, type Problems } from '../problems.ts';
import { namesOf } from './names-of.ts';

/** Limits of one file, so that a damaged one takes no memory. */
const MAX_CHARACTERISTICS = 200_000;
const MAX_PARTS = 100_000;
const MAX_DEPTH = 100;
/** Texts that name characteristics: several may name the same one. */
const MAX_TEXTS = 400_000;
const UNIT_KEY = '2142';
const NAME_KEY = { part: '1001', characteristic: '2002' } as const;

interface CharacteristicDraft {
  name: string;
  /** `undefined` until there is a value. */
  index: number | undefined;
  line: number;
  attributes: Record<string, string>;
  /** Unit behind its values; `undefined` until there is a value, empty when they have none. */
  unit: string | undefined;
  children: Map<string, CharacteristicDraft>;
}

/** A part of a table. */
export interface PartDraft {
  index: number;
  line: number;
  /** Names from the outermost part on; none for the part below which the file stands. */
  path: readonly string[];
  attributes: Record<string, string>;
  characteristics: Map<string, CharacteristicDraft>;
  /** Characteristics by the text that names them. */
  known: Map<string, number>;
}

/** Parts and characteristics of a table, found by the texts of its cells. */
export class TablePlan {
  private readonly problems: Problems;
  private readonly parts = new Map<string, PartDraft>();
  private readonly drafts: CharacteristicDraft[] = [];
  private count = 0;
  private texts = 0;

  constructor(problems: Problems) {
    this.problems = problems;
  }

  /**
   * @param text a name, or a path such as `/Line/Pump`; empty for the part below which the file stands
   * @param position where the text stands
   */
  partOf(text: string, position: { line: number; key: string }): PartDraft {
    const known = this.parts.get(text);
    if (known) return known;
    if (this.parts.size >= MAX_PARTS) throw tooMany(position, MAX_PARTS, 'parts');
    const path = text.startsWith('/') ? namesOf(ownText(text.slice(1))) : text.length > 0 ? [ownText(text)] : [];
    if (path.length > MAX_DEPTH) throw tooDeep(position, 'part');
    const name = path.at(-1);
    const attributes: Record<string, string> = name === undefined ? {} : { [NAME_KEY.part]: name };
    const draft = { index: this.parts.size + 1, line: position.line, path, attributes, characteristics: new Map(), known: new Map() };
    this.parts.set(ownText(text), draft);
    return draft;
  }

  /** @param text a name, or names such as `Bore/Diameter` @returns the index of the characteristic */
  characteristicOf(part: PartDraft, text: string, position: { line: number; key: string }): number {
    const known = part.known.get(text);
    if (known !== undefined) return known;
    const names = namesOf(cleaned(ownText(text)));
    if (names.length > MAX_DEPTH) throw tooDeep(position, 'characteristic');
    this.texts += 1;
    if (this.texts > MAX_TEXTS) throw tooMany(position, MAX_TEXTS, 'names of characteristics');
    let siblings = part.characteristics;
    let draft: CharacteristicDraft | undefined;
    for (const name of names) {
      draft = siblings.get(name);
      if (!draft) {
        this.count += 1;
        if (this.count > MAX_CHARACTERISTICS) throw tooMany(position, MAX_CHARACTERISTICS, 'characteristics');
        const attributes = { [NAME_KEY.characteristic]: name };
        draft = { name, index: undefined, line: position.line, attributes, unit: undefined, children: new Map() };
        siblings.set(name, draft);
      }
      siblings = draft.children;
    }
    if (!draft) throw new Error('a characteristic without a name');
    if (draft.index === undefined) {
      this.drafts.push(draft);
      draft.index = this.drafts.length;
    }
    part.known.set(ownText(text), draft.index);
    return draft.index;
  }

  /** Notes the unit behind a value. @returns the unit of the values before, when it is another one */
  noteUnit(characteristic: number, unit: string): string | undefined {
    const draft = this.drafts[characteristic - 1] as CharacteristicDraft;
    draft.unit ??= unit;
    if (draft.unit !== unit) return draft.unit;
    const described = draft.attributes[UNIT_KEY];
    return unit.length > 0 && described !== undefined && described !== unit ? described : undefined;
  }

  /** Adds an attribute to a characteristic that has none with this key. */
  describe(characteristic: number, key: string, text: string): void {
    const draft = this.drafts[characteristic - 1];
    if (draft) draft.attributes[key] ??= text;
  }

  finish(): FilePart[] {
    const drafts = [...this.parts.values()];
    const named = drafts.filter(({ path }) => path.length > 0);
    const byParent = Map.groupBy(named, ({ path }) => JSON.stringify(path.slice(0, -1)));
    const names = new Map<PartDraft, string>();
    for (const siblings of byParent.values()) {
      const own = nameSiblings(
        siblings.map(({ path, index, line }) => ({
          wanted: path.at(-1) ?? '',
          number: String(index),
          fallback: `Part ${index}`,
          line,
          key: 'part',
        })),
        this.problems,
      );
      siblings.forEach((draft, i) => names.set(draft, own[i] as string));
    }
    return drafts.map((draft) => {
      const { index, path, attributes, characteristics } = draft;
      const above = path.slice(0, -1);
      return {
        index,
        name: names.get(draft) ?? '',
        ...(above.length > 0 && { above }),
        attributes,
        characteristics: this.branches(characteristics),
      };
    });
  }

  private branches(drafts: ReadonlyMap<string, CharacteristicDraft>): FileCharacteristic[] {
    const items = [...drafts.values()];
    const names = nameSiblings(
      items.map(({ name, line }, i) => ({
        wanted: name,
        number: String(i + 1),
        fallback: `Characteristic ${i + 1}`,
        line,
        key: 'characteristic',
      })),
      this.problems,
    );
    return items.map(({ index, attributes, unit, children }, i) => ({
      index,
      name: names[i] as string,
      attributes: unit ? { [UNIT_KEY]: unit, ...attributes } : attributes,
      ...(unit && { valueUnit: unit }),
      children: this.branches(children),
    }));
  }
}

function tooMany(position: { line: number; key: string }, most: number, what: string): UnreadableFileError {
  return new UnreadableFileError({ ...position, message: `The file has more than ${most} ${what}. Divide it into several files.` });
}

function tooDeep(position: { line: number; key: string }, what: string): UnreadableFileError {
  return new UnreadableFileError({ ...position, message: `The ${what} stands below more than ${MAX_DEPTH} others. Shorten its path.` });
}

/** Copies a text: one cut from a block of the file would keep the block in memory. */
function ownText(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le');
}
