import { localeOf, textsIn, type Formats, type Language, type Locale, type Texts, type TextTable } from '@sinebar/charts';
import { createContext, useContext, useEffect, useMemo, type ReactNode } from 'react';
import { I18nProvider } from 'react-aria-components';

export { defineTexts } from '@sinebar/charts';

const LanguageContext = createContext<Locale>(localeOf('en'));

/** Gives everything below it the language: texts, numbers, dates, and the words of React Aria. */
export function LanguageProvider({ language, children }: { language: Language; children: ReactNode }) {
  const locale = useMemo(() => localeOf(language), [language]);
  useEffect(() => {
    document.documentElement.lang = language;
  }, [language]);
  return (
    <I18nProvider locale={language}>
      <LanguageContext value={locale}>{children}</LanguageContext>
    </I18nProvider>
  );
}

/** Returns the texts in the language of the reader. */
export function useTexts<T extends TextTable>(texts: Texts<T>): T {
  return textsIn(texts, useLanguage());
}

/** Returns the formats of numbers, dates and times in the language of the reader. */
export function useFormats(): Formats {
  return useLocale().formats;
}

export function useLanguage(): Language {
  return useLocale().language;
}

export function useLocale(): Locale {
  return useContext(LanguageContext);
}
