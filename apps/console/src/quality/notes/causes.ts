import type { Language } from '@sinebar/charts';
import { STANDARD_ACTIONS, STANDARD_CAUSES } from '@sinebar/client';
import { entryText } from '../attributes/entry-catalogs';

/** A standard cause in the reader's language; others as the plant has written them. */
export function causeText(text: string, language: Language): string {
  return entryText(text, STANDARD_CAUSES, language);
}

/** A standard action in the reader's language; others as the plant has written them. */
export function actionText(text: string, language: Language): string {
  return entryText(text, STANDARD_ACTIONS, language);
}
