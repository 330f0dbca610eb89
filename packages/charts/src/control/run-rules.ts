import { horizontal, label } from '../drawing/lines.ts';
import { crisp } from '../drawing/paths.ts';
import { group, path, type Drawing } from '../drawing/shapes.ts';
import { textsIn, type Locale } from '../language/texts.ts';
import { texts } from '../texts.ts';
import { AXIS_WIDTH, LABELS_WIDTH, pointScale } from './ruler-pane.ts';
import type { ShownSeries } from './shown-series.ts';

export interface RunRulesInput {
  shown: ShownSeries;
  /** Rules that were asked for, such as `nelson1`, or `nelson2:7` with a length of its own. */
  rules: readonly string[];
  plot: number;
  rowHeight?: number | undefined;
  hasCounts?: boolean | undefined;
}

/** A row for each rule, with a tick at each point that breaks it. */
export function runRules(input: RunRulesInput, { formats, language }: Locale): Drawing {
  const { shown, rules, plot, rowHeight = 12, hasCounts = false } = input;
  const t = textsIn(texts, language);
  const right = AXIS_WIDTH + plot;
  const x = pointScale(shown.count, plot);
  const shapes = rules.map((rule, row) => {
    const top = row * rowHeight;
    const foot = top + rowHeight - 2;
    const hits = shown.hits.filter((hit) => hit.rule === rule.split(':')[0]);
    const pixels = new Set(hits.map(({ position }) => crisp(x(position))));
    return group([
      label({ x: AXIS_WIDTH - 8, y: foot, anchor: 'end', kind: 'axis' }, t.rule(ruleNumber(rule))),
      horizontal({ x1: AXIS_WIDTH, x2: right, y: foot, kind: 'grid' }),
      path('hit', [...pixels].map((pixel) => `M${pixel} ${top + 2}v${rowHeight - 4}`).join('')),
      hasCounts && label({ x: right + LABELS_WIDTH, y: foot, anchor: 'end', kind: 'label' }, formats.count(hits.length)),
    ]);
  });
  return { width: right + (hasCounts ? LABELS_WIDTH : 0), height: rules.length * rowHeight + 2, label: t.rulesLabel, shapes };
}

/** The number of a rule: `2` of `nelson2` and of `nelson2:7`, `WE 2` of `westernElectric2`. */
export function ruleNumber(rule: string): string {
  const number = /\d+(?=:|$)/.exec(rule)?.[0] ?? rule;
  return rule.startsWith('western') ? `WE ${number}` : number;
}
