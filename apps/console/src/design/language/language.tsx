import { createContext, useContext, useEffect, useMemo, type ReactNode } from 'react';
import { I18nProvider } from 'react-aria-components';
import { formatsOf, type Formats, type Language } from './formats';

/** A text of one language: a sentence, or a function that puts figures into one. */
type Text = string | ((...values: never[]) => string);

/** The texts of a page: German has the same names and the same parameters as English. */
export interface Texts<T extends Readonly<Record<string, Text>>> {
  en: T;
  de: { readonly [name in keyof T]: T[name] extends (...values: infer V) => string ? (...values: V) => string : string };
}

/** Checks that both languages have the same texts. */
export function defineTexts<const T extends Readonly<Record<string, Text>>>(texts: Texts<T>): Texts<T> {
  return texts;
}

interface LanguageState {
  language: Language;
  formats: Formats;
}

const LanguageContext = createContext<LanguageState>({ language: 'en', formats: formatsOf('en') });

/** Gives everything below it the language: texts, numbers, dates, and the words of React Aria. */
export function LanguageProvider({ language, children }: { language: Language; children: ReactNode }) {
  const state = useMemo(() => ({ language, formats: formatsOf(language) }), [language]);
  useEffect(() => {
    document.documentElement.lang = language;
  }, [language]);
  return (
    <I18nProvider locale={language}>
      <LanguageContext value={state}>{children}</LanguageContext>
    </I18nProvider>
  );
}

/** Returns the texts in the language of the reader. */
export function useTexts<T extends Readonly<Record<string, Text>>>(texts: Texts<T>): T {
  // Both languages have the same names and parameters, see Texts.
  return texts[useContext(LanguageContext).language] as unknown as T;
}

/** Returns the formats of numbers, dates and times in the language of the reader. */
export function useFormats(): Formats {
  return useContext(LanguageContext).formats;
}

export function useLanguage(): Language {
  return useContext(LanguageContext).language;
}
