const LENGTH = 40;

/** The beginning of a text, quoted, for error sentences. */
export function excerpt(text: string): string {
  return JSON.stringify(text.length > LENGTH ? `${text.slice(0, LENGTH)}…` : text);
}

/** What stands at a place of a text, for error sentences that say what was expected there. */
export function foundAt(text: string, position: number): string {
  return position < text.length ? excerpt(text.slice(position)) : 'the end';
}
