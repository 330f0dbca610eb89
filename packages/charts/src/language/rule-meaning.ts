import { defineTexts, textsIn, type Locale } from './texts.ts';

/** Meaning of each pattern, by the number of points that it looks at. */
const texts = defineTexts({
  en: {
    beyondLimits: (_length: string, _most: string) => 'a point beyond a control limit (3σ)',
    oneSide: (length: string, _most: string) => `${length} points in a row on one side of the centre line`,
    steady: (length: string, _most: string) => `${length} points in a row that all rise or all fall`,
    alternating: (length: string, _most: string) => `${length} points in a row that go up and down in turn`,
    mostBeyond2: (length: string, most: string) => `${most} of ${length} points beyond 2σ on the same side`,
    mostBeyond1: (length: string, most: string) => `${most} of ${length} points beyond 1σ on the same side`,
    within1: (length: string, _most: string) => `${length} points in a row within 1σ of the centre line`,
    outside1: (length: string, _most: string) => `${length} points in a row beyond 1σ, on either side`,
  },
  de: {
    beyondLimits: (_length: string, _most: string) => 'ein Punkt außerhalb der Eingriffsgrenzen (3σ)',
    oneSide: (length: string, _most: string) => `${length} Punkte in Folge auf einer Seite der Mittellinie`,
    steady: (length: string, _most: string) => `${length} Punkte in Folge steigend oder fallend`,
    alternating: (length: string, _most: string) => `${length} Punkte in Folge abwechselnd auf und ab`,
    mostBeyond2: (length: string, most: string) => `${most} von ${length} Punkten jenseits 2σ auf derselben Seite`,
    mostBeyond1: (length: string, most: string) => `${most} von ${length} Punkten jenseits 1σ auf derselben Seite`,
    within1: (length: string, _most: string) => `${length} Punkte in Folge innerhalb 1σ um die Mittellinie`,
    outside1: (length: string, _most: string) => `${length} Punkte in Folge jenseits 1σ, auf beiden Seiten`,
  },
});

type Pattern = keyof (typeof texts)['en'];

/** Rules in the order of their numbers: what they look for, and in how many points. */
export const RUN_RULES: Readonly<Record<'nelson' | 'westernElectric', readonly (readonly [pattern: Pattern, length: number])[]>> = {
  nelson: [
    ['beyondLimits', 1],
    ['oneSide', 9],
    ['steady', 6],
    ['alternating', 14],
    ['mostBeyond2', 3],
    ['mostBeyond1', 5],
    ['within1', 15],
    ['outside1', 8],
  ],
  westernElectric: [
    ['beyondLimits', 1],
    ['mostBeyond2', 3],
    ['mostBeyond1', 5],
    ['oneSide', 8],
  ],
};

/** A run rule as requests name it, taken apart. */
export interface NamedRule {
  readonly group: keyof typeof RUN_RULES;
  readonly number: number;
  /** Points that it looks at. */
  readonly length: number;
}

/** Reads a rule such as `nelson2` or `nelson2:7`; `undefined` for one that is not known. */
export function readRule(rule: string): NamedRule | undefined {
  const [, group, number, length] = /^(nelson|westernElectric)(\d+)(?::(\d+))?$/.exec(rule) ?? [];
  if (group !== 'nelson' && group !== 'westernElectric') return undefined;
  const known = RUN_RULES[group][Number(number) - 1];
  return known && { group, number: Number(number), length: length === undefined ? known[1] : Number(length) };
}

/** Says what a rule looks for: `9 points in a row on one side of the centre line`. */
export function ruleMeaning({ group, number, length }: NamedRule, { language, formats }: Locale): string {
  const [pattern] = RUN_RULES[group][number - 1] ?? [];
  return pattern === undefined ? '' : textsIn(texts, language)[pattern](formats.count(length), formats.count(length - 1));
}
