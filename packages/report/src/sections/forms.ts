import { FIRST_ARTICLE_FIELDS, stampNumber, type FirstArticleField } from '@sinebar/contracts';
import { drawFacts, drawHeading, drawTable, drawText, type Column } from '../pdf/table.ts';
import { FAINT, OUT } from '../pdf/paper.ts';
import type { ReportCharacteristic, ReportContent } from '../report-content.ts';
import { figureText } from './figures.ts';
import { attachedRows } from './characteristics.ts';
import type { Writing } from './written.ts';

const FIELDS_IN_ROW = 4;
/** Fields with which a row begins, whether or not the one above is full. */
const ROW_BEGINNINGS: ReadonlySet<string> = new Set(['indexOfParts', 'nonconformance', 'verifiedBy', 'customerApproval']);

/** Draws a form of AS9102: numbered fields, each with its text, or empty for what is written by hand. */
function drawFields(writing: Writing, form: 1 | 2): void {
  const { paper, locale, content } = writing;
  const fields = FIRST_ARTICLE_FIELDS.filter((field) => field.form === form);
  const width = paper.width / FIELDS_IN_ROW;
  for (const inRow of rowsOfFields(fields)) {
    const row = inRow.map((field) => {
      const text = fieldText(field, content);
      return { head: `${field.number}. ${field.names[locale.language]}`, lines: paper.linesOf(text, width - 10) };
    });
    const height = 16 + Math.max(1, ...row.map(({ lines }) => lines.length)) * 11 + 4;
    paper.ensure(height);
    const top = paper.y;
    row.forEach(({ head, lines }, i) => {
      const x = paper.left + i * width;
      paper.tag('P', () => {
        paper.text(head, x, top + 8, { size: 6.5, color: FAINT });
        lines.forEach((line, at) => paper.text(line, x, top + 20 + at * 11));
      });
      paper.artifact(() => paper.rule(top + height - 2, { x1: x, x2: x + width - 10 }));
    });
    paper.y = top + height;
  }
}

/** Puts fields in rows; those that list components, one a line, stand side by side. */
function rowsOfFields(fields: readonly FirstArticleField[]): FirstArticleField[][] {
  const rows: FirstArticleField[][] = [];
  for (const field of fields) {
    const last = rows.at(-1);
    if (last === undefined || last.length === FIELDS_IN_ROW || ROW_BEGINNINGS.has(field.name)) rows.push([field]);
    else last.push(field);
  }
  return rows;
}

/** Returns the text that is typed for the part, else its attribute. */
function fieldText({ name, key }: FirstArticleField, { firstArticle, part }: ReportContent): string {
  const typed = firstArticle[name];
  if (typed !== undefined && typed !== '') return typed;
  return key === undefined ? '' : (part.attributes[key] ?? '');
}

/** Fields of form 1 that stand on each form. */
const HEAD_FIELDS = 4;

const TITLES = {
  1: { en: 'Form 1: part number accountability', de: 'Formular 1: Teilenummern' },
  2: {
    en: 'Form 2: product accountability: materials, special processes, functional tests',
    de: 'Formular 2: Werkstoffe, besondere Prozesse, Funktionsprüfungen',
  },
  3: {
    en: 'Form 3: characteristic accountability, verification and compatibility evaluation',
    de: 'Formular 3: Merkmale und ihre Prüfung',
  },
} as const;

export function drawForm(writing: Writing, form: 1 | 2): void {
  const { paper, locale } = writing;
  if (form === 1) drawHeading(paper, TITLES[form][locale.language]);
  else drawFormHead(writing, form);
  drawFields(writing, form);
  paper.gap();
}

/** Draws the head of a form behind the first, on a page of its own: its title, and the first four fields of form 1. */
function drawFormHead(writing: Writing, form: 2 | 3): void {
  const { paper, locale, content } = writing;
  if (!paper.isFresh) paper.addPage();
  drawHeading(paper, TITLES[form][locale.language]);
  const heads = FIRST_ARTICLE_FIELDS.filter((field) => field.form === 1).slice(0, HEAD_FIELDS);
  drawFacts(
    paper,
    heads.map((field) => ({ name: `${field.number}. ${field.names[locale.language]}`, text: fieldText(field, content) || '–' })),
    HEAD_FIELDS,
  );
  paper.gap(6);
}

/** Draws form 3: each characteristic with its requirement and its result. */
export async function drawForm3(writing: Writing): Promise<void> {
  const { paper, content, t, signal } = writing;
  drawFormHead(writing, 3);
  if (content.total === 0) return drawText(paper, t.nothing);
  await drawTable(paper, form3Columns(writing), attachedRows(writing), { count: content.total, signal, size: 7.5 });
  paper.gap();
}

const FORM3 = {
  en: [
    '5. Char. no.',
    '6. Reference location',
    '7. Characteristic designator',
    '8. Requirement',
    '9. Results',
    '10. Designed or qualified tooling',
    '11. Nonconformance no.',
    '12. Additional data, comments',
  ],
  de: [
    '5. Merkmal-Nr.',
    '6. Fundstelle',
    '7. Kennzeichen',
    '8. Forderung',
    '9. Ergebnis',
    '10. Prüfvorrichtung, Lehre',
    '11. Abweichung Nr.',
    '12. Weitere Angaben, Bemerkungen',
  ],
} as const;
/** Keys of the attributes of a characteristic: class, gage, remark. */
const [CLASS, GAGE, REMARK] = [2005, 2402, 2900];

function form3Columns({ locale, t }: Writing): Column<ReportCharacteristic>[] {
  const heads = FORM3[locale.language];
  const text = (name: Parameters<typeof figureText>[0], row: ReportCharacteristic) => figureText(name, row, locale);
  const requirement = (row: ReportCharacteristic) => {
    const limits = [text('lower', row), text('upper', row)];
    const unit = text('unit', row);
    const nominal = text('nominal', row);
    if ([nominal, ...limits].every((limit) => limit === '')) return '';
    if (nominal !== '' && text('tolerance', row) !== '') return `${nominal} ${text('tolerance', row)} ${unit}`.trim();
    return `${limits[0] === '' ? '' : `≥ ${limits[0]} `}${limits[1] === '' ? nominal : `≤ ${limits[1]}`} ${unit}`.trim();
  };
  return [
    { head: heads[0], width: 46, cell: (row) => ({ text: stampNumber(row.attributes) }) },
    { head: heads[1], width: 70, cell: () => ({ text: '' }) },
    { head: heads[2], width: 66, cell: (row) => ({ text: row.attributes[CLASS] ?? '' }) },
    { head: heads[3], share: 3, cell: (row) => ({ text: `${row.name}: ${requirement(row)}`.replace(/: $/, '') }) },
    {
      head: heads[4],
      share: 1.5,
      cell: (row) => {
        const isOut = row.now === 'belowTolerance' || row.now === 'aboveTolerance';
        const value = row.value === undefined ? text('last', row) : text('value', row);
        return { text: value === '' ? t.noData : isOut ? `${value} (${t[row.now]})` : value, ...(isOut && { color: OUT, isStrong: true }) };
      },
    },
    // Field 10 is for tools that are designed for the part or that replace a number; gages of numbers are further data.
    { head: heads[5], width: 70, cell: () => ({ text: '' }) },
    { head: heads[6], width: 70, cell: () => ({ text: '' }) },
    { head: heads[7], share: 1.5, cell: ({ attributes }) => ({ text: [attributes[GAGE], attributes[REMARK]].filter(Boolean).join('; ') }) },
  ];
}
