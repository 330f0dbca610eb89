import { formatsOf, type Formats, type Language } from './formats.ts';

/** The language in which a drawing is labelled, with its numbers, dates and times. */
export interface Locale {
  readonly language: Language;
  readonly formats: Formats;
}

export function localeOf(language: Language, now?: () => Date): Locale {
  return { language, formats: formatsOf(language, now) };
}

/** A text of one language: a sentence, or a function that puts figures into one. */
export type TextTable = Readonly<Record<string, string | ((...values: never[]) => string)>>;

/** The texts of a page: German has the same names and the same parameters as English. */
export interface Texts<T extends TextTable> {
  en: T;
  de: { readonly [name in keyof T]: T[name] extends (...values: infer V) => string ? (...values: V) => string : string };
}

/** Checks that both languages have the same texts. */
export function defineTexts<const T extends TextTable>(texts: Texts<T>): Texts<T> {
  return texts;
}

/** Returns the texts of one language. */
export function textsIn<T extends TextTable>(texts: Texts<T>, language: Language): T {
  // Both languages have the same names and parameters, see Texts.
  return texts[language] as unknown as T;
}
