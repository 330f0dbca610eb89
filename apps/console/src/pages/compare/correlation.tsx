import { type Compared, ticksOf } from '@sinebar/charts';
import type { CorrelationAnswer } from '@sinebar/client';
import { Button } from '../../design/controls/button';
import { useFormats, useTexts } from '../../design/language/language';
import { Hidden } from '../../design/controls/text-field';
import { PaneHead } from '../../design/page/pane-head';
import { ServerNotes } from '../../quality/server-notes/server-notes';
import { texts } from './texts';
import styles from './compare.module.css';
import textStyles from '../../design/styles/text.module.css';

/** Correlation from which two characteristics are said to vary together. */
const NOTABLE = 0.5;
const MIN_CORRELATION = 0.1;

export interface CorrelationProps {
  first: Compared;
  second: Compared;
  answer: CorrelationAnswer;
  compared: readonly Compared[];
  /** Pearson's r of a pair in the order of the chips. */
  correlationOf: (first: string, second: string) => number | undefined;
  onPair: (first: string, second: string) => void;
}

/** The correlation of two characteristics as a figure, a sentence and beside those of all other pairs. */
export function Correlation({ first, second, answer, compared, correlationOf, onPair }: CorrelationProps) {
  const formats = useFormats();
  const t = useTexts(texts);
  const { pearson, spearman, line, count } = answer;
  const sentence = useSentence(first, second, answer);
  const figures = [
    ...(spearman === undefined ? [] : [[t.spearman, formats.number(spearman, 2)]]),
    ...(pearson === undefined ? [] : [['r²', formats.number(pearson.value ** 2, 2)]]),
    ...(line === undefined ? [] : [[t.slope, formats.number(line.slope, 3)]]),
    ['n', formats.count(count)],
  ];
  return (
    <section className={styles.correlation}>
      <div className={styles.paneHead}>
        <PaneHead name={t.correlation} />
      </div>
      {pearson && (
        <>
          <p className={styles.r}>r {formats.number(pearson.value, 2)}</p>
          {pearson.lower !== undefined && pearson.upper !== undefined && (
            <p className={textStyles.explanation}>{t.interval(formats.number(pearson.lower, 2), formats.number(pearson.upper, 2))}</p>
          )}
          <p className={styles.sentence}>{sentence}</p>
        </>
      )}
      <ServerNotes notes={answer.notes} className={textStyles.explanation} />
      <dl className={styles.figures}>
        {figures.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {compared.length > 2 && (
        <Triangle compared={compared} chosen={[first.uuid, second.uuid]} correlationOf={correlationOf} onPair={onPair} />
      )}
    </section>
  );
}

/** Says what the regression line means, by a round step of the first characteristic. */
function useSentence(first: Compared, second: Compared, { pearson, line }: CorrelationAnswer): string {
  const formats = useFormats();
  const t = useTexts(texts);
  if (pearson === undefined || line === undefined || Math.abs(pearson.value) < MIN_CORRELATION) return t.unrelated(first.name, second.name);
  const { standardDeviation = 0 } = first.summary;
  const ticks = ticksOf(0, standardDeviation || 1, 1).values;
  const step = ticks.at(-1) || standardDeviation;
  const change = Math.abs(line.slope * step);
  const measured = (value: number, { decimals, unit }: Compared, more: number) =>
    `${formats.number(value, decimals + more)}${unit === '' ? '' : ` ${unit}`}`;
  const say = line.slope > 0 ? t.rises : t.falls;
  return say(first.name, measured(step, first, 0), second.name, measured(change, second, 1));
}

interface TriangleProps {
  compared: readonly Compared[];
  chosen: readonly [string, string];
  correlationOf: (first: string, second: string) => number | undefined;
  onPair: (first: string, second: string) => void;
}

/** The correlations of all pairs; heads of columns are the numbers of the rows. */
function Triangle({ compared, chosen, correlationOf, onPair }: TriangleProps) {
  const formats = useFormats();
  const t = useTexts(texts);
  return (
    <table className={styles.triangle} aria-label={t.pairs}>
      <thead>
        <tr>
          <th scope="col">r</th>
          {compared.slice(0, -1).map(({ uuid, name }, i) => (
            <th key={uuid} scope="col" title={name}>
              <span aria-hidden>{formats.count(i + 1)}</span>
              <Hidden>{name}</Hidden>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {compared.map((row, i) => (
          <tr key={row.uuid}>
            <th scope="row">
              <span aria-hidden className={styles.position}>
                {formats.count(i + 1)}
              </span>
              {row.name}
            </th>
            {compared.slice(0, i).map((column) => {
              const value = correlationOf(column.uuid, row.uuid);
              const isChosen = chosen.includes(column.uuid) && chosen.includes(row.uuid);
              return (
                <td key={column.uuid} className={isChosen ? styles.chosen : ''}>
                  {value !== undefined && (
                    <Button
                      kind="quiet"
                      aria-label={`${t.showPair(column.name, row.name)}, r ${formats.number(value, 2)}`}
                      onPress={() => onPair(column.uuid, row.uuid)}
                    >
                      {Math.abs(value) >= NOTABLE ? <strong>{formats.number(value, 2)}</strong> : formats.number(value, 2)}
                    </Button>
                  )}
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
