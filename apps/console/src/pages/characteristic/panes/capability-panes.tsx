import type { CharacteristicSummary } from '@sinebar/client';
import { Indices } from '../../../charts/capability/capability-charts';
import { useFormats, useTexts } from '../../../design/language/language';
import { ServerNotes } from '../../../quality/server-notes/server-notes';
import { texts } from '../texts';
import styles from '../characteristic.module.css';

/** The note of the pane: convention, distribution, standard deviation and sigma with its method. */
export function useCapabilityNote(): (summary: CharacteristicSummary, decimals: number) => string {
  const formats = useFormats();
  const t = useTexts(texts);
  return ({ capability, chart, standardDeviation }, decimals) => {
    if (!capability || standardDeviation === undefined) return '';
    const sigma = capability.normal.within?.sigma ?? chart?.sigma;
    const method = t[`model_${capability.model?.name ?? 'normal'}`];
    const within = sigma === undefined ? '' : `${formats.number(sigma, decimals + 1)} ${chart ? t[`from_${chart.sigmaMethod}`] : ''}`;
    return t.capabilityNote(t[`conventionShort_${capability.convention}`], method, formats.number(standardDeviation, decimals + 1), within);
  };
}

/** Indices against the wanted one; without any, the sentences of the server that say why. */
export function IndicesPane({ summary, width }: { summary: CharacteristicSummary; width: number }) {
  const { capability, assessment, notes } = summary;
  return (
    <div className={styles.indices}>
      {capability?.pk && <Indices capability={capability} wanted={assessment.required.value} width={width} />}
      <ServerNotes notes={notes} className={styles.notes} />
    </div>
  );
}

/** Tables of figures: parts per million, the models that were compared, and the tolerance interval. */
export function CapabilityTables({ summary, decimals }: { summary: CharacteristicSummary; decimals: number }) {
  return (
    <>
      <PartsPerMillion summary={summary} />
      <Candidates summary={summary} />
      <ToleranceInterval summary={summary} decimals={decimals} />
    </>
  );
}

/** Parts per million out of tolerance: observed, and expected of the model, and of the spread within. */
function PartsPerMillion({ summary: { partsPerMillion, capability } }: { summary: CharacteristicSummary }) {
  const formats = useFormats();
  const t = useTexts(texts);
  if (!partsPerMillion || !capability) return null;
  const { observed, expectedOverall, expectedWithin } = partsPerMillion;
  const rows = [
    { name: t.observed, figures: observed },
    ...(expectedOverall ? [{ name: t.expectedOverall, figures: capability.model?.expectedPartsPerMillion ?? expectedOverall }] : []),
    ...(expectedWithin ? [{ name: t.expectedWithin, figures: expectedWithin }] : []),
  ];
  const cell = (value: number | undefined) => <td>{value === undefined ? '' : formats.count(value)}</td>;
  return (
    <table className={styles.figures}>
      <thead>
        <tr>
          <th scope="col">{t.ppm}</th>
          <th scope="col">{t.below}</th>
          <th scope="col">{t.above}</th>
          <th scope="col">{t.total}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, figures }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            {cell(figures.below)}
            {cell(figures.above)}
            {cell(figures.total)}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The models that were compared, each with its criterion and its index. */
function Candidates({ summary: { capability } }: { summary: CharacteristicSummary }) {
  const formats = useFormats();
  const t = useTexts(texts);
  const { model, pk } = capability ?? {};
  if (model === undefined || model.candidates.length < 2) return null;
  return (
    <table className={styles.figures}>
      <thead>
        <tr>
          <th scope="col">{t.candidates}</th>
          <th scope="col">{t.byAicc}</th>
          <th scope="col">{pk?.name}</th>
        </tr>
      </thead>
      <tbody>
        {model.candidates.map(({ name, aicc, pk: index }) => (
          <tr key={name} aria-current={name === model.name || undefined}>
            <th scope="row">{t[`model_${name}`]}</th>
            <td>{formats.number(aicc, 1)}</td>
            <td>{index === undefined ? '' : formats.number(index, 2)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Bounds that hold most of all values. */
function ToleranceInterval({ summary: { toleranceInterval }, decimals }: { summary: CharacteristicSummary; decimals: number }) {
  const formats = useFormats();
  const t = useTexts(texts);
  if (toleranceInterval === undefined) return null;
  const { content, confidence, twoSided, oneSided } = toleranceInterval;
  const rows = [
    { name: t.twoSided, bounds: twoSided },
    { name: t.oneSided, bounds: oneSided },
  ];
  return (
    <table className={styles.figures}>
      <thead>
        <tr>
          <th scope="col" colSpan={3}>
            {t.toleranceIntervalOf(formats.percent(content), formats.percent(confidence))}, {t.ofNormal}
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, bounds }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>{formats.number(bounds.lower, decimals + 1)}</td>
            <td>{formats.number(bounds.upper, decimals + 1)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
