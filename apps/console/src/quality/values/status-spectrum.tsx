import { countStatuses } from '@sinebar/charts';
import type { ReactNode } from 'react';
import { Spectrum, type SpectrumProps } from '../../charts/small/spectrum';
import { Button } from '../../design/controls/button';
import { useFormats } from '../../design/language/language';
import { useWidth } from '../../design/page/use-width';
import { Glyph, type Status } from '../../design/status/glyph';
import { FILTER_STATUSES, type FilterStatus } from './filter-statuses';
import styles from './status-spectrum.module.css';

/** Width of the content before it is measured, px. */
const USUAL_WIDTH = 1152;

/** The part of a page that tells the statuses of what is listed below it. */
export function StatusSection({ label, children }: { label: string; children: ReactNode }) {
  return (
    <section className={styles.spectrum} aria-label={label}>
      {children}
    </section>
  );
}

export interface StatusSpectrumProps extends Omit<SpectrumProps, 'width'> {
  /** Statuses in plan order. */
  statuses: readonly Status[];
  names: Readonly<Record<FilterStatus, string>>;
  /** Statuses that the list is filtered by; all without any. */
  chosen: readonly FilterStatus[];
  onChoose: (chosen: readonly FilterStatus[] | undefined) => void;
}

/** Totals that filter a list by their statuses, above a tick for each entry in plan order. */
export function StatusSpectrum({ statuses, names, chosen, onChoose, ...spectrum }: StatusSpectrumProps) {
  const formats = useFormats();
  const [width, frame] = useWidth();
  const toggle = (status: FilterStatus) => {
    const next = chosen.includes(status) ? chosen.filter((each) => each !== status) : [...chosen, status];
    onChoose(next.length === 0 ? undefined : next);
  };
  const counts = countStatuses(statuses);
  // Most plans have limits everywhere: their absence is named only where it occurs.
  const shown = FILTER_STATUSES.filter((status) => status !== 'noLimits' || counts.noLimits > 0 || chosen.includes(status));
  return (
    <>
      <div className={styles.totals}>
        {shown.map((status) => (
          <Button key={status} data-paper kind="quiet" isOn={chosen.includes(status)} onPress={() => toggle(status)}>
            <span className={styles.total}>
              <Glyph name={status} label="" />
              <strong>{formats.count(counts[status])}</strong>
              <span>{names[status]}</span>
            </span>
          </Button>
        ))}
      </div>
      <div ref={frame}>
        <Spectrum width={width ?? USUAL_WIDTH} {...spectrum} />
      </div>
    </>
  );
}
