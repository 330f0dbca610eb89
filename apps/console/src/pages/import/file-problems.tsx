import { SinebarError, STANDARD_ATTRIBUTES } from '@sinebar/client';
import { useQueryClient } from '@tanstack/react-query';
import { useFormats, useLanguage, useTexts } from '../../design/language/language';
import { PaneHead } from '../../design/page/pane-head';
import { Glyph } from '../../design/status/glyph';
import table from '../../design/tables/table.module.css';
import { useConfiguration } from '../../quality/attributes/configuration';
import { StandardAttributesButton } from '../../quality/attributes/standard-attributes-button';
import { queryKeys } from '../../server/queries/keys';
import styles from './import.module.css';
import { texts } from './texts';
import type { ImportedFile } from './use-imports';

interface Problem {
  line: string;
  key: string;
  message: string;
  kind: 'error' | 'lost' | 'warning';
}

/** Equal problems of several lines. */
interface ProblemGroup extends Omit<Problem, 'line'> {
  lines: readonly string[];
}

/** Lines that are named of equal problems. */
const MAX_LINES = 3;

/** The field of AQDEF whose attribute has another key. */
const TYPE_FIELD = 2004;
const TYPE_KEY = 12_004;
const ORDER = ['error', 'lost', 'warning'] as const;

/** List of the problems of one file, by line and field: errors first, then what would be lost, then warnings. */
export function FileProblems({ file, state, answer, error }: ImportedFile) {
  const t = useTexts(texts);
  const language = useLanguage();
  const formats = useFormats();
  const queries = useQueryClient();
  const { configuration, isReady } = useConfiguration();
  /** Key of an attribute that the server lacks, so that a field of the file is left out. */
  const lostKeyOf = ({ line, key }: Problem) => {
    const attribute = line === '' ? attributeOf(key) : undefined;
    return isReady && attribute !== undefined && !configuration.byKey.has(attribute) ? attribute : undefined;
  };
  const problems = [
    ...errorsOf(error),
    ...(answer?.warnings ?? []).map(({ line, key, message }): Problem => {
      const problem = { line: line === undefined ? '' : String(line), key: key ?? '', message };
      return { ...problem, kind: lostKeyOf({ ...problem, kind: 'warning' }) === undefined ? 'warning' : 'lost' };
    }),
  ].toSorted((a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind));
  if (problems.length === 0) return null;
  const linesText = (lines: readonly string[]) =>
    lines.length <= MAX_LINES
      ? lines.join(', ')
      : t.severalLines(lines.slice(0, MAX_LINES).join(', '), formats.count(lines.length - MAX_LINES));
  const title = t.problemsOf(file.name);
  const lost = problems.flatMap((problem) => lostKeyOf(problem) ?? []);
  const standards = STANDARD_ATTRIBUTES.filter(({ key }) => lost.includes(key));
  const checkAgain = () => void queries.invalidateQueries({ queryKey: queryKeys.imports('check') });
  return (
    <section className={styles.problems}>
      <PaneHead name={title} />
      {standards.length > 0 && state !== 'stored' && (
        <div role="alert" className={styles.lost}>
          <StandardAttributesButton onDefined={checkAgain}>
            <p>{t.losing(standards.map(({ names }) => names[language]).join(', '))}</p>
          </StandardAttributesButton>
        </div>
      )}
      <div className={table.scrolled}>
        <table className={table.data} aria-label={title}>
          <thead>
            <tr>
              <th scope="col" className={table.number}>
                {t.line}
              </th>
              <th scope="col">{t.key}</th>
              <th scope="col">{t.kind}</th>
              <th scope="col">{t.what}</th>
            </tr>
          </thead>
          <tbody>
            {grouped(problems).map(({ lines, key, message, kind }, i) => (
              <tr key={i}>
                <td className={table.number}>{linesText(lines)}</td>
                <td>{key}</td>
                <td className={kind === 'warning' ? undefined : table.outOfTolerance}>
                  <Glyph name={kind === 'warning' ? 'inWarning' : 'outOfTolerance'} label="" /> {t[kind]}
                </td>
                <td className={styles.message}>{message}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

/** Joins problems that differ only in their lines, in the order of the first ones. */
function grouped(problems: readonly Problem[]): ProblemGroup[] {
  const groups = new Map<string, ProblemGroup>();
  for (const { line, ...problem } of problems) {
    const name = JSON.stringify(problem);
    const { lines } = groups.get(name) ?? { lines: [] };
    groups.set(name, { ...problem, lines: line === '' ? lines : [...lines, line] });
  }
  return [...groups.values()];
}

/** Key of the attribute that a field such as `K2101` becomes. */
function attributeOf(field: string): number | undefined {
  const [, digits] = /^K(\d+)$/.exec(field) ?? [];
  if (digits === undefined) return undefined;
  return Number(digits) === TYPE_FIELD ? TYPE_KEY : Number(digits);
}

/** Errors of a refused file: the server names the place of each as `17 K2110`. */
function errorsOf(error: Error | undefined): Problem[] {
  if (error === undefined) return [];
  if (!(error instanceof SinebarError) || error.details.length === 0) {
    return [{ line: '', key: '', message: error.message, kind: 'error' }];
  }
  return error.details.map(({ field = '', message }) => {
    const [, line = '', key = ''] = /^(\d*) ?(.*)$/.exec(field) ?? [];
    return { line, key, message, kind: 'error' };
  });
}
