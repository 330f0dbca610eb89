import { textWidth } from '../drawing/label-placement.ts';
import { horizontal, label } from '../drawing/lines.ts';
import { crisp } from '../drawing/paths.ts';
import { group, path, type Drawing } from '../drawing/shapes.ts';
import { textsIn, type Locale } from '../language/texts.ts';
import { texts } from '../texts.ts';
import { AXIS_WIDTH, LABELS_WIDTH, pointScale } from './ruler-pane.ts';
import type { ShownSeries } from './shown-series.ts';

/** Height of the row of a rule, px. */
const ROW = 14;

export interface RunRulesInput {
  shown: ShownSeries;
  /** Rules that were asked for, such as `nelson1`, or `nelson2:7` with a length of its own. */
  rules: readonly string[];
  plot: number;
  hasCounts?: boolean | undefined;
}

/** A row for each rule, with a tick at each point that breaks it. */
export function runRules(input: RunRulesInput, { formats, language }: Locale): Drawing {
  const { shown, rules, plot, hasCounts = false } = input;
  const t = textsIn(texts, language);
  const right = AXIS_WIDTH + plot;
  const edge = AXIS_WIDTH - 4;
  const nameOf = (rule: string) => {
    const [name, number] = [t.rule(ruleNumber(rule)), ruleNumber(rule)];
    return textWidth(name) <= edge ? name : number;
  };
  const x = pointScale(shown.count, plot);
  const shapes = rules.map((rule, row) => {
    const top = row * ROW;
    const foot = top + ROW - 2;
    const hits = shown.hits.filter((hit) => hit.rule === rule.split(':')[0]);
    const pixels = new Set(hits.map(({ position }) => crisp(x(position))));
    return group([
      label({ x: edge, y: foot, anchor: 'end', kind: 'axis' }, nameOf(rule)),
      horizontal({ x1: AXIS_WIDTH, x2: right, y: foot, kind: 'grid' }),
      path('hit', [...pixels].map((pixel) => `M${pixel} ${top + 2}v${ROW - 4}`).join('')),
      hasCounts && label({ x: right + LABELS_WIDTH, y: foot, anchor: 'end', kind: 'label' }, formats.count(hits.length)),
    ]);
  });
  return { width: right + (hasCounts ? LABELS_WIDTH : 0), height: rules.length * ROW + 2, label: t.rulesLabel, shapes };
}

/** The number of a rule: `2` of `nelson2` and of `nelson2:7`, `WE 2` of `westernElectric2`. */
export function ruleNumber(rule: string): string {
  const number = /\d+(?=:|$)/.exec(rule)?.[0] ?? rule;
  return rule.startsWith('western') ? `WE ${number}` : number;
}
