import type { CharacteristicSummary } from '@sinebar/client';
import type { ReactNode } from 'react';
import { Facts } from '../../design/page/page';
import { useFormats, useTexts } from '../../design/language/language';
import { CharacteristicPage } from '../../quality/plan/characteristic-page';
import { toleranceText } from '../../quality/values/tolerance-text';
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
    const tolerance = toleranceText(limits, decimals, formats);
    const { lowerWarning, upperWarning } = limits;
    const warningLimits = {
      ...(nominal !== undefined && { nominal }),
      ...(lowerWarning !== undefined && { lowerTolerance: lowerWarning }),
      ...(upperWarning !== undefined && { upperTolerance: upperWarning }),
    };
    const warning = toleranceText(warningLimits, decimals, formats);
    return [
      ...(nominal === undefined ? [] : [{ name: t.nominal, value: <Measured value={formats.number(nominal, decimals)} unit={unit} /> }]),
      ...(tolerance === '' ? [] : [{ name: t.tolerance, value: tolerance }]),
      ...(warning === '' ? [] : [{ name: t.warning, value: warning }]),
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
