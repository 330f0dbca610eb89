import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { germanNote } from './german-notes';

const ROOT = join(import.meta.dirname, '../../../../..');
/** Files that write notes about figures. */
const SOURCES = [
  'services/inspection/src/analysis/calculations/summary.ts',
  'services/inspection/src/analysis/calculations/chart.ts',
  'services/inspection/src/analysis/calculations/count-figures.ts',
  'services/inspection/src/analysis/request/evaluated-request.ts',
  'services/inspection/src/analysis/series.ts',
  'packages/statistics/src/models/model-choice.ts',
];
/** Sentences that only begin a note, or are no note. */
const NO_NOTE = [/^The \d+ model needs a natural boundary\.$/, / Leave out /, / does not fit it\./];

/** Sentences of the sources, with a number in the place of every figure. */
function sentencesOf(file: string): string[] {
  const source = readFileSync(join(ROOT, file), 'utf8').replaceAll(/^ *(?:\*|\/\/|\/\*\*).*$/gm, '');
  const literals = [...source.matchAll(/'([A-Z][^'\n]*\.)'|`((?:[A-Z]|\$\{)[^`\n]*\.)`/g)].map(
    ([, plain, filled]) => plain ?? filled ?? '',
  );
  return literals
    .map((text) => text.replaceAll(/\$\{samples\(\w+\)\}/g, '3 samples are').replaceAll(/\$\{isOfParts[^}]*\}/g, 'part'))
    .map((text) => text.replaceAll(/\$\{[^}]*' : '[^}]*\}/g, 'below').replaceAll('${whole}', 'number'))
    .map((text) => text.replaceAll('${kind}', 'measured values'))
    .map((text) => text.replaceAll('${refusal}', 'The Rayleigh model needs a natural boundary.').replaceAll(/\$\{[^}]*\}/g, '7'))
    .filter((text) => !NO_NOTE.some((pattern) => pattern.test(text)));
}

const SENTENCES = [...new Set(SOURCES.flatMap(sentencesOf))];

describe('notes of the server', () => {
  it('are found in its sources', () => expect(SENTENCES.length).toBeGreaterThan(20));
  it.each(SENTENCES)('have a German sentence: %s', (sentence) => {
    expect(germanNote(sentence)).toMatch(/\.$/);
  });
  it.each([
    ['The model changed from Weibull to normal.', 'Das Modell hat gewechselt: vorher Weibull, jetzt Normal.'],
    ['1 sample is left out: a count is a whole number from 0.', '1 Stichprobe ist ausgelassen: eine Anzahl ist eine ganze Zahl ab 0.'],
    ['All 30 equal values are above the tolerance: not capable.', 'Alle 30 gleichen Werte liegen über der Toleranz: nicht fähig.'],
    ['There are too few measurements in which both characteristics vary.', 'Es gibt zu wenige Messungen, in denen beide Merkmale streuen.'],
  ])('%s', (note, german) => expect(germanNote(note)).toBe(german));
  it('that are not known stay as they are', () => expect(germanNote('Something new.')).toBeUndefined());
});
