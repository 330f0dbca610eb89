import { characteristicAt, spectrum, type SpectrumInput } from '@sinebar/charts';
import { useMemo, type MouseEvent } from 'react';
import { useLocale } from '../../design/language/language';
import { Figure } from '../drawing/figure';
import styles from './small.module.css';

export interface SpectrumProps extends SpectrumInput {
  /** Called with the index of a characteristic in plan order when its tick is pressed. */
  onPick?: (index: number) => void;
}

/** Statuses of all characteristics in plan order, a tick for each. */
export function Spectrum({ groups, width, height, onPick }: SpectrumProps) {
  const locale = useLocale();
  const drawing = useMemo(() => spectrum({ groups, width, height }, locale), [groups, width, height, locale]);
  const pick = (event: MouseEvent<SVGSVGElement>) => {
    const index = characteristicAt(event.clientX - event.currentTarget.getBoundingClientRect().left, { groups, width });
    if (index !== undefined) onPick?.(index);
  };
  return <Figure drawing={drawing} sheet={styles} {...(onPick && { onClick: pick, className: styles.clickable })} />;
}
