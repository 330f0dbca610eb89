import { useFormats, useTexts } from '../../design/language/language';
import { Figure, Horizontal, Label } from '../drawing/figure';
import { linearScale } from '../drawing/scale';
import { texts } from '../texts';
import { AXIS_WIDTH, LABELS_WIDTH } from './ruler-pane';
import type { ShownSeries } from './shown-series';
import styles from '../drawing/drawing.module.css';

export interface RunRulesProps {
  shown: ShownSeries;
  /** Rules that were asked for, such as `nelson1`, or `nelson2:7` with a length of its own. */
  rules: readonly string[];
  plot: number;
  rowHeight?: number;
  hasCounts?: boolean;
}

/** A row for each rule, with a tick at each point that breaks it. */
export function RunRules({ shown, rules, plot, rowHeight = 12, hasCounts = false }: RunRulesProps) {
  const formats = useFormats();
  const t = useTexts(texts);
  const right = AXIS_WIDTH + plot;
  const x = linearScale([0, shown.count], [AXIS_WIDTH, right]);
  return (
    <Figure width={right + (hasCounts ? LABELS_WIDTH : 0)} height={rules.length * rowHeight + 2} label={t.rulesLabel}>
      {rules.map((rule, row) => {
        const top = row * rowHeight;
        const hits = shown.hits.filter((hit) => hit.rule === rule.split(':')[0]);
        const pixels = new Set(hits.map(({ position }) => Math.floor(x(position)) + 0.5));
        return (
          <g key={rule}>
            <Label x={AXIS_WIDTH - 8} y={top + rowHeight - 2} anchor="end" kind="axis">
              {t.rule(ruleNumber(rule))}
            </Label>
            <Horizontal x1={AXIS_WIDTH} x2={right} y={top + rowHeight - 2} kind="grid" />
            <path className={styles.hit} d={[...pixels].map((pixel) => `M${pixel} ${top + 2}v${rowHeight - 4}`).join('')} />
            {hasCounts && (
              <Label x={right + LABELS_WIDTH} y={top + rowHeight - 2} anchor="end" kind="label">
                {formats.count(hits.length)}
              </Label>
            )}
          </g>
        );
      })}
    </Figure>
  );
}

/** The number of a rule: `2` of `nelson2` and of `nelson2:7`, `WE 2` of `westernElectric2`. */
export function ruleNumber(rule: string): string {
  const number = /\d+(?=:|$)/.exec(rule)?.[0] ?? rule;
  return rule.startsWith('western') ? `WE ${number}` : number;
}
