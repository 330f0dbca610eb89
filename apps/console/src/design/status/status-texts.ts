import { defineTexts } from '../language/language';

/** Words of the statuses, as glyphs tell them to screen readers. */
export const statusTexts = defineTexts({
  en: {
    inLimits: 'in limits',
    inWarning: 'warning',
    outOfTolerance: 'out of tolerance',
    belowTolerance: 'below tolerance',
    aboveTolerance: 'above tolerance',
    noLimits: 'no limits',
    noData: 'no data',
    excluded: 'excluded',
    rule: 'run rule',
  },
  de: {
    inLimits: 'in den Grenzen',
    inWarning: 'Warnung',
    outOfTolerance: 'außerhalb der Toleranz',
    belowTolerance: 'unter der Toleranz',
    aboveTolerance: 'über der Toleranz',
    noLimits: 'keine Grenzen',
    noData: 'keine Werte',
    excluded: 'ausgeschlossen',
    rule: 'Regel verletzt',
  },
});
