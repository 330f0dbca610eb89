const LENGTH = 40;

/** Quotes the beginning of a text for error sentences. */
export function excerpt(text: string): string {
  return JSON.stringify(text.length > LENGTH ? `${text.slice(0, LENGTH)}…` : text);
}

/** Describes the text at a position, for error sentences that say what was expected there. */
export function foundAt(text: string, position: number): string {
  return position < text.length ? excerpt(text.slice(position)) : 'the end';
}
