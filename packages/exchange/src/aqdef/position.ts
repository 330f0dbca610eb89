import { isDeleted, isNoValue, KEYS_OF_ONE_VALUE, SPLITTING_KEYS } from './k-fields.ts';
import { MeasurementDraft, type RecordContext } from './record.ts';

const [VALUE, VALUE_ATTRIBUTE, TIME, SAMPLE_SIZE, ERRORS] = [1, 2, 4, 20, 21] as const;

const SPLITS: ReadonlySet<number> = new Set(SPLITTING_KEYS);

/** A value of a record with its fields, or the fields of a characteristic without a value. */
export interface Position {
  /** Index in the whole file. */
  characteristic: number;
  line: number;
  /** The measured value as written; `undefined` when there is none. */
  value: string | undefined;
  /** Whether K0002 says that the value was deleted. */
  isDeleted: boolean;
  /** Keys of the texts, which positions in a row may share. */
  keys: readonly number[];
  texts: readonly string[];
  /** Lines of the texts, where they are not that of the position. */
  lines: readonly number[] | undefined;
}

/** A field behind a value line. */
export interface LaterField {
  /** `undefined` for all characteristics. */
  position: Position | undefined;
  key: number;
  text: string;
  line: number;
}

const NO_FIELDS: readonly LaterField[] = [];
const NO_LATER_FIELDS: ReadonlyMap<Position | undefined, readonly LaterField[]> = new Map();

/** Makes a position of the fields of a value in keyed notation. */
export function positionOf(characteristic: number, line: number, fields: readonly (readonly [number, string, number])[]): Position {
  const textOf = (key: number) => fields.find(([field]) => field === key)?.[1];
  const value = textOf(VALUE) ?? textOf(ERRORS);
  const attribute = textOf(VALUE_ATTRIBUTE);
  const isEmpty = value === undefined || value.trim().length === 0 || isNoValue(attribute);
  const others = fields.filter(([key]) => key !== VALUE && key !== ERRORS && !(key === SAMPLE_SIZE && isEmpty));
  return {
    characteristic,
    line,
    value: isEmpty ? undefined : value,
    isDeleted: isDeleted(attribute),
    keys: others.map(([key]) => key),
    texts: others.map(([, text]) => text),
    lines: others.map(([, , own]) => own),
  };
}

/**
 * Builds the measurements of a record of one part.
 * Values that differ in batch, cavity or machine belong to different ones.
 * Positions without a value say something only where no value does, and never the time of values.
 */
export function measurementsOf(
  part: number,
  line: number,
  { positions, later = [] }: { positions: readonly Position[]; later?: readonly LaterField[] },
  context: RecordContext,
): MeasurementDraft[] {
  const laterOf = later.length === 0 ? NO_LATER_FIELDS : byPosition(later);
  const splitting = new SplitRecord(() => new MeasurementDraft(part, line, context));
  const draftOf = new Map<Position, MeasurementDraft>();
  let before: { position: Position; draft: MeasurementDraft; isRepeated: boolean } | undefined;
  for (const position of positions) {
    if (position.value === undefined) continue;
    if (before?.position.texts === position.texts && before.isRepeated && later.length === 0) {
      before.draft.addValue(position.characteristic, position.value, position.line);
      continue;
    }
    const isAlike = before !== undefined && later.length === 0 && hasEqualIdentity(before.position, position);
    const own = laterOf.get(position) ?? NO_FIELDS;
    const draft: MeasurementDraft = isAlike && before ? before.draft : splitting.draftOf(position, own);
    if (later.length > 0) draftOf.set(position, draft);
    // The next positions are compared with them.
    for (const { key, text, line: at } of own) if (SPLITS.has(key)) draft.addField(position.characteristic, key, text, at);
    draft.addValue(position.characteristic, position.value, position.line);
    before = { position, draft, isRepeated: addFields(draft, position) };
  }
  const { drafts } = splitting;
  const [first] = drafts;
  if (!first) return withoutValues(part, line, { positions, later }, context);
  for (const { position, key, text, line: own } of later) {
    if (position === undefined) for (const draft of drafts) draft.addField(undefined, key, text, own);
    else draftOf.get(position)?.addField(position.characteristic, key, text, own);
  }
  if (drafts.length === 1) for (const position of positions) if (position.value === undefined) fillFrom(position, first);
  return drafts;
}

function byPosition(later: readonly LaterField[]): Map<Position | undefined, LaterField[]> {
  const fields = new Map<Position | undefined, LaterField[]>();
  for (const field of later) {
    const known = fields.get(field.position);
    if (known) known.push(field);
    else fields.set(field.position, [field]);
  }
  return fields;
}

/** The measurements of a record by batch, cavity and machine. What a position does not say is as in the first one. */
class SplitRecord {
  readonly drafts: MeasurementDraft[] = [];
  private byIdentity: Map<string, MeasurementDraft> | undefined;
  private readonly create: () => MeasurementDraft;

  constructor(create: () => MeasurementDraft) {
    this.create = create;
  }

  draftOf({ keys, texts }: Position, later: readonly LaterField[]): MeasurementDraft {
    const [first] = this.drafts;
    if (!first) return this.added();
    let isFirst = true;
    const identity = SPLITTING_KEYS.map((key) => {
      const known = first.get(key);
      const written = later.find((field) => field.key === key)?.text ?? texts[keys.indexOf(key)];
      const text = written === undefined || written.length === 0 ? undefined : first.read(key, written);
      if (text !== undefined && known !== undefined && text !== known) isFirst = false;
      return text ?? known ?? '';
    });
    if (isFirst) return first;
    const key = JSON.stringify(identity);
    this.byIdentity ??= new Map();
    let draft = this.byIdentity.get(key);
    if (!draft) this.byIdentity.set(key, (draft = this.added()));
    return draft;
  }

  private added(): MeasurementDraft {
    const draft = this.create();
    this.drafts.push(draft);
    return draft;
  }
}

function hasEqualIdentity(a: Position, b: Position): boolean {
  if (a.keys !== b.keys) return false;
  for (const key of SPLITTING_KEYS) {
    const at = a.keys.indexOf(key);
    if ((a.texts[at] ?? '') !== (b.texts[at] ?? '')) return false;
  }
  return true;
}

/** @returns whether the fields only repeat those of the measurement, so that those of a next value may be skipped when they are equal */
function addFields(draft: MeasurementDraft, { characteristic, line, keys, texts, lines }: Position): boolean {
  let isRepeated = true;
  for (let i = 0; i < texts.length && i < keys.length; i += 1) {
    const key = keys[i] as number;
    const text = texts[i] as string;
    // The attribute of almost every value.
    if (text.length === 0 || key === 0 || key === VALUE || key === ERRORS || (key === VALUE_ATTRIBUTE && text === '0')) continue;
    if (!draft.addField(characteristic, key, text, lines?.[i] ?? line)) isRepeated = false;
  }
  return isRepeated;
}

/** A record without any value is a measurement with the fields of its placeholders. */
function withoutValues(
  part: number,
  line: number,
  { positions, later }: { positions: readonly Position[]; later: readonly LaterField[] },
  context: RecordContext,
): MeasurementDraft[] {
  const draft = new MeasurementDraft(part, line, context);
  const isSaid = (position: Position | undefined) => position?.isDeleted !== true;
  for (const position of positions) if (isSaid(position)) addFields(draft, position);
  for (const { position, key, text, line: own } of later) if (isSaid(position)) draft.addField(position?.characteristic, key, text, own);
  return [draft];
}

/** Gives the measurement what only a position without a value says. */
function fillFrom({ characteristic, line, isDeleted: isLeftOut, keys, texts }: Position, draft: MeasurementDraft): void {
  if (isLeftOut) return;
  for (let i = 0; i < texts.length && i < keys.length; i += 1) {
    const key = keys[i] as number;
    const text = texts[i] as string;
    if (text.length > 0 && key > 0 && key !== TIME && !KEYS_OF_ONE_VALUE.has(key) && draft.get(key) === undefined)
      draft.addField(characteristic, key, text, line);
  }
}
