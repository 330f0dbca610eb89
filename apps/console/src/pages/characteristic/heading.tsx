import type { CharacteristicSummary } from '@sinebar/client';
import type { ReactNode } from 'react';
import { Facts } from '../../design/page/page';
import { useFormats, useTexts } from '../../design/language/language';
import { CharacteristicPage } from '../../quality/plan/characteristic-page';
import type { CharacteristicData } from './use-characteristic';
import { texts } from './texts';
import styles from './characteristic.module.css';

export interface HeadingProps {
  partUuid: string;
  characteristicUuid: string;
  data: CharacteristicData;
  facts: readonly { name: string; value: ReactNode }[];
  children: ReactNode;
}

/** Path, name, tabs and facts of a characteristic. */
export function Heading({ partUuid, characteristicUuid, data, facts, children }: HeadingProps) {
  const path = data.item.data?.path ?? data.summary.data?.path;
  return (
    <CharacteristicPage partUuid={partUuid} characteristicUuid={characteristicUuid} path={path} facts={<Facts facts={facts} />}>
      {children}
    </CharacteristicPage>
  );
}

/** Nominal, tolerance and warning limits as facts: `±0.050` where both sides are alike. */
export function useLimitFacts() {
  const formats = useFormats();
  const t = useTexts(texts);
  return ({ limits }: CharacteristicSummary, decimals: number, unit: string): { name: string; value: ReactNode }[] => {
    const { nominal } = limits;
    const pair = (lower: number | undefined, upper: number | undefined, boundary?: number): string | undefined => {
      if (lower === undefined && upper === undefined) return undefined;
      if (nominal !== undefined && lower !== undefined && upper !== undefined) {
        const [below, above] = [nominal - lower, upper - nominal];
        if (Math.abs(below - above) < 10 ** -decimals / 2) return `±${formats.number(above, decimals)}`;
        return `${formats.signed(-below, decimals)} / ${formats.signed(above, decimals)}`;
      }
      const from = lower ?? boundary;
      if (from !== undefined && upper !== undefined) return `${formats.number(from, decimals)} … ${formats.number(upper, decimals)}`;
      return lower === undefined ? `≤ ${formats.number(upper!, decimals)}` : `≥ ${formats.number(lower, decimals)}`;
    };
    const tolerance = pair(limits.lowerTolerance, limits.upperTolerance, limits.lowerBoundary);
    const warning = pair(limits.lowerWarning, limits.upperWarning, limits.lowerBoundary);
    return [
      ...(nominal === undefined ? [] : [{ name: t.nominal, value: <Measured value={formats.number(nominal, decimals)} unit={unit} /> }]),
      ...(tolerance === undefined ? [] : [{ name: t.tolerance, value: tolerance }]),
      ...(warning === undefined ? [] : [{ name: t.warning, value: warning }]),
    ];
  };
}

function Measured({ value, unit }: { value: string; unit: string }) {
  return (
    <>
      {value}
      {unit !== '' && <span className={styles.unit}>{unit}</span>}
    </>
  );
}
