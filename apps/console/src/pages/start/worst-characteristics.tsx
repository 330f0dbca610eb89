import type { PartOverview } from '@sinebar/client';
import { Link } from '@tanstack/react-router';
import { SmallMultiple } from '../../charts/small/small-charts';
import { useFormats, useTexts } from '../../design/language/language';
import { useWidth } from '../../design/page/use-width';
import { Glyph } from '../../design/status/glyph';
import { PaneHead } from '../../design/page/pane-head';
import { valueClass } from '../../quality/parts/parts-table';
import { useFigures } from '../../quality/parts/use-figures';
import { namesAbove } from '../../quality/parts/worst-first';
import styles from './start.module.css';
import { texts } from './texts';

/** Small charts of the worst characteristics, all of the same kind and size. */
export function WorstCharacteristics({
  partOf,
  characteristics,
}: {
  /** Returns the uuid of the part under which a link shows the characteristic of a path. */
  partOf: (path: string) => string;
  characteristics: PartOverview['characteristics'];
}) {
  const t = useTexts(texts);
  const { number } = useFormats();
  const figures = useFigures();
  const [width, measure] = useWidth();
  const measured = characteristics.filter(({ last }) => last !== undefined);
  if (measured.length === 0) return null;
  return (
    <section aria-labelledby="worst">
      <PaneHead id="worst" name={t.worstCharacteristics} note={t.worstNote} isSpaced />
      <div className={styles.multiples}>
        {measured.map((each, index) => (
          <Link
            key={each.uuid}
            ref={index === 0 ? measure : undefined}
            to="/parts/$partUuid/characteristics/$characteristicUuid"
            params={{ partUuid: partOf(each.path), characteristicUuid: each.uuid }}
            className={styles.multiple}
            title={each.name}
          >
            <span className={styles.multipleName}>
              <span className={styles.named}>
                <Glyph name={each.now} />
                <span className={styles.name}>{each.name}</span>
              </span>
              <span className={styles.place}>{namesAbove(each.path, 1)}</span>
            </span>
            <span className={styles.multipleFigures}>
              {each.last !== undefined && <span className={valueClass(each.last.status)}>{figures.value(each)}</span>}
              <span>{figures.tolerance(each)}</span>
              {each.overall?.pk !== undefined && <span>{t.ppk(number(each.overall.pk, 2))}</span>}
            </span>
            <SmallMultiple name={each.name} values={each.sparkline} limits={each.limits} width={width} />
          </Link>
        ))}
      </div>
    </section>
  );
}
