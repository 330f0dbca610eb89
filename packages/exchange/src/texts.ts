const CONTROL_CHARACTERS = /\p{Cc}+/gu;
const NEEDS_CLEANING = /\p{Cc}|^\s|\s$/u;

/** Replaces control characters, which servers refuse, by one blank, and removes blanks at both ends. */
export function cleaned(text: string): string {
  return NEEDS_CLEANING.test(text) ? text.replace(CONTROL_CHARACTERS, ' ').trim() : text;
}
