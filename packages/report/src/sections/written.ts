import type { Locale } from '@sinebar/charts';
import { textsIn } from '@sinebar/charts';
import type { AttachedFile } from '../pdf/attached-file.ts';
import type { Paper } from '../pdf/paper.ts';
import type { ReportContent, ReportRequest } from '../report-content.ts';
import type { Template } from '../templates/template.ts';
import { texts } from '../texts.ts';

/** Everything that the sections of a report work with. */
export interface Writing {
  readonly paper: Paper;
  readonly template: Template;
  readonly request: ReportRequest;
  readonly content: ReportContent;
  readonly locale: Locale;
  readonly t: ReturnType<typeof wordsOf>;
  readonly signal: AbortSignal;
  /** Gets the rows of the first table of characteristics, for the attached file. */
  readonly attached: AttachedFile;
}

export function wordsOf(locale: Locale) {
  return textsIn(texts, locale.language);
}

/** Returns a text of a template in the language of the report. */
export function localText(text: string | { en: string; de: string }, { language }: Locale): string {
  return typeof text === 'string' ? text : text[language];
}
