import { QuietButton } from '../../design/controls/buttons';
import { Hidden } from '../../design/controls/text-field';
import { useFormats, useTexts } from '../../design/language/language';
import { Glyph, type GlyphName } from '../../design/status/glyph';
import table from '../../design/tables/table.module.css';
import { plainPathOf } from '../../server/queries/plan-path';
import { texts } from './texts';
import type { ImportedFile, Imports } from './use-imports';

/** Most keys or paths in a sentence. */
const MAX_NAMED = 20;

const GLYPHS: Readonly<Record<ImportedFile['state'], GlyphName>> = {
  checking: 'noData',
  importing: 'noData',
  ready: 'inLimits',
  known: 'inLimits',
  stored: 'inLimits',
  refused: 'outOfTolerance',
  failed: 'outOfTolerance',
};

/** Chosen files with the counts of their check or of their import. */
export function FileRows({ imports }: { imports: Imports }) {
  const t = useTexts(texts);
  const formats = useFormats();
  const counted = (found?: { created: number; found: number }) =>
    found === undefined ? '' : t.created(formats.count(found.created), formats.count(found.found));
  return (
    <table className={table.data} aria-label={t.files}>
      <thead>
        <tr>
          <th scope="col">{t.file}</th>
          <th scope="col">{t.format}</th>
          <th scope="col" className={table.number}>
            {t.size}
          </th>
          <th scope="col">{t.state}</th>
          <th scope="col">{t.parts}</th>
          <th scope="col">{t.characteristics}</th>
          <th scope="col">{t.measurements}</th>
          <th scope="col" className={table.number}>
            {t.values}
          </th>
          <th scope="col">
            <Hidden>{t.actions}</Hidden>
          </th>
        </tr>
      </thead>
      <tbody>
        {imports.files.map(({ id, file, state, answer }) => (
          <tr key={id}>
            <th scope="row">{file.name}</th>
            <td className={table.soft}>{file.formatName}</td>
            <td className={table.number}>{formats.size(file.size)}</td>
            <td>
              <Glyph name={GLYPHS[state]} label="" /> {t[state]}
            </td>
            <td>{counted(answer?.parts)}</td>
            <td>{counted(answer?.characteristics)}</td>
            <td>{counted(answer?.measurements)}</td>
            <td className={table.number}>{answer === undefined ? '' : formats.count(answer.values)}</td>
            <td>
              <QuietButton aria-label={t.removeNamed(file.name)} isDisabled={state === 'importing'} onPress={() => imports.remove(id)}>
                {t.remove}
              </QuietButton>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Says which attributes an import defines, and which parts and characteristics it fills. */
export function PlanNotes({ answer }: ImportedFile) {
  const t = useTexts(texts);
  const formats = useFormats();
  const { attributes, filled = [] } = answer ?? {};
  const keys = attributes?.created ?? [];
  const shown = (items: readonly (string | number)[]) =>
    [...items.slice(0, MAX_NAMED), ...(items.length > MAX_NAMED ? ['…'] : [])].join(', ');
  return (
    <>
      {keys.length > 0 && <p>{t.defines(formats.count(keys.length), shown(keys))}</p>}
      {filled.length > 0 && <p>{t.fills(formats.count(filled.length), shown(filled.map(({ path }) => plainPathOf(path))))}</p>}
    </>
  );
}
