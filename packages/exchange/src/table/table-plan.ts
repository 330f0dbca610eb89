import type { FileCharacteristic, FilePart } from '../content.js';
import { nameSiblings } from '../names.js';
import { UnreadableFileError, type Problems } from '../problems.js';

/** Limits of one file, so that a damaged one takes no memory. */
const MAX_CHARACTERISTICS = 200_000;
const MAX_PARTS = 100_000;
const MAX_DEPTH = 100;
const NAME_KEY = { part: '1001', characteristic: '2002' } as const;

interface CharacteristicDraft {
  name: string;
  /** `undefined` until there is a value. */
  index: number | undefined;
  line: number;
  attributes: Record<string, string>;
  children: Map<string, CharacteristicDraft>;
}

/** A part of a table. */
export interface PartDraft {
  index: number;
  line: number;
  /** Names from the outermost part on. */
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

  constructor(problems: Problems) {
    this.problems = problems;
  }

  /** @param text a name, or a path such as `/Line/Pump` @param place where the text stands */
  partOf(text: string, place: { line: number; key: string }): PartDraft {
    const known = this.parts.get(text);
    if (known) return known;
    if (this.parts.size >= MAX_PARTS) throw tooMany(place, MAX_PARTS, 'parts');
    const path = text.startsWith('/') ? namesOf(text.slice(1)) : [text];
    const draft = { index: this.parts.size + 1, line: place.line, path, attributes: {}, characteristics: new Map(), known: new Map() };
    if (path.at(-1) !== undefined) (draft.attributes as Record<string, string>)[NAME_KEY.part] = path.at(-1) as string;
    else
      this.problems.warn(
        place.line,
        place.key,
        `The row names no part; its part is called "Part ${draft.index}". Fill the column, or name the part in the mapping.`,
      );
    this.parts.set(text, draft);
    return draft;
  }

  /** @param text a name, or names such as `Bore/Diameter` @returns the index of the characteristic */
  characteristicOf(part: PartDraft, text: string, place: { line: number; key: string }): number {
    const known = part.known.get(text);
    if (known !== undefined) return known;
    const names = namesOf(text);
    if (names.length > MAX_DEPTH) {
      throw new UnreadableFileError({
        ...place,
        message: `The characteristic stands below more than ${MAX_DEPTH} others. Shorten its path.`,
      });
    }
    let siblings = part.characteristics;
    let draft: CharacteristicDraft | undefined;
    for (const name of names) {
      draft = siblings.get(name);
      if (!draft) {
        this.count += 1;
        if (this.count > MAX_CHARACTERISTICS) throw tooMany(place, MAX_CHARACTERISTICS, 'characteristics');
        draft = { name, index: undefined, line: place.line, attributes: { [NAME_KEY.characteristic]: name }, children: new Map() };
        siblings.set(name, draft);
      }
      siblings = draft.children;
    }
    if (!draft) throw new Error('a characteristic without a name');
    if (draft.index === undefined) {
      this.drafts.push(draft);
      draft.index = this.drafts.length;
    }
    part.known.set(text, draft.index);
    return draft.index;
  }

  /** Adds an attribute to a characteristic that has none with this key. */
  describe(characteristic: number, key: string, text: string): void {
    const draft = this.drafts[characteristic - 1];
    if (draft) draft.attributes[key] ??= text;
  }

  finish(): FilePart[] {
    const drafts = [...this.parts.values()];
    const byPlace = new Map<string, PartDraft[]>();
    for (const draft of drafts) {
      const above = JSON.stringify(draft.path.slice(0, -1));
      const siblings = byPlace.get(above);
      if (siblings) siblings.push(draft);
      else byPlace.set(above, [draft]);
    }
    const names = new Map<PartDraft, string>();
    for (const siblings of byPlace.values()) {
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
        name: names.get(draft) as string,
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
    return items.map(({ index, attributes, children }, i) => ({
      index,
      name: names[i] as string,
      attributes,
      children: this.branches(children),
    }));
  }
}

function tooMany(place: { line: number; key: string }, most: number, what: string): UnreadableFileError {
  return new UnreadableFileError({ ...place, message: `The file has more than ${most} ${what}. Divide it into several files.` });
}

/** Splits names at slashes; `\/` and `\\` are characters of a name. */
export function namesOf(path: string): string[] {
  return (path.match(/(?:[^\\/]|\\.|\\$)+/g) ?? [])
    .map((name) => name.replace(/\\([\\/])/g, '$1').trim())
    .filter((name) => name.length > 0);
}
