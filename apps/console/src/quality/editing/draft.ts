/** Texts of an item by the name of their field; what is absent is empty. */
export type Fields = Readonly<Record<string, string>>;

/** A change that is not saved. */
export interface FieldChange {
  /** Text that the server had when the reader began to change it. */
  was: string;
  text: string;
}

/** Changes by field. */
export type Draft = Readonly<Record<string, FieldChange>>;

/** A field that the reader and somebody else have changed to different texts. */
export interface Conflict {
  field: string;
  was: string;
  mine: string;
  theirs: string;
}

/** Writes a text into a draft; the text that the server has takes the change back. */
export function withText(draft: Draft, field: string, text: string, stored: Fields): Draft {
  return withTexts(draft, [[field, text]], stored);
}

/** Writes several texts into a draft. */
export function withTexts(draft: Draft, texts: readonly (readonly [field: string, text: string])[], stored: Fields): Draft {
  const next: Record<string, FieldChange> = { ...draft };
  for (const [field, text] of texts) {
    if (text === (stored[field] ?? '')) delete next[field];
    else next[field] = { was: next[field]?.was ?? stored[field] ?? '', text };
  }
  return next;
}

/** Takes the change of a field back: the text of the server counts. */
export function withoutField(draft: Draft, field: string): Draft {
  const { [field]: _removed, ...others } = draft;
  return others;
}

/** Keeps the change of a field although the server has another text by now. */
export function keptField(draft: Draft, field: string, stored: Fields): Draft {
  const change = draft[field];
  return change === undefined ? draft : { ...draft, [field]: { ...change, was: stored[field] ?? '' } };
}

/** Returns the texts that saving leads to: those of the server with the changes of the reader. */
export function draftedFields(draft: Draft, stored: Fields): Fields {
  return { ...stored, ...Object.fromEntries(Object.entries(draft).map(([field, { text }]) => [field, text])) };
}

/** Finds fields that somebody else has changed since the reader began, to another text than the reader. */
export function conflictsOf(draft: Draft, stored: Fields): Conflict[] {
  return Object.entries(draft).flatMap(([field, { was, text }]) => {
    const theirs = stored[field] ?? '';
    return theirs === was || theirs === text ? [] : [{ field, was, mine: text, theirs }];
  });
}

/** Makes the draft that returns from `after` to `before`. */
export function reverseDraft(before: Fields, after: Fields): Draft {
  const fields = new Set([...Object.keys(before), ...Object.keys(after)]);
  return Object.fromEntries(
    [...fields].flatMap((field) => {
      const [was, text] = [after[field] ?? '', before[field] ?? ''];
      return was === text ? [] : [[field, { was, text }]];
    }),
  );
}
