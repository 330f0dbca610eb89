import { collectDefaultMetrics } from '@prometheus-io/client';
import { PRODUCT_VERSION } from '../product-version.ts';
import type { Metrics } from './metrics.ts';

/** Registers processor time, memory, open files, event loop lag, garbage collection and the product version. */
export function processMetrics(metrics: Metrics): void {
  collectDefaultMetrics({ register: metrics.registry });
  metrics.gauge({ name: 'sinebar_build_info', help: 'Always 1; the version that runs is a label', labels: ['version'] }, (set) =>
    set(1, { version: PRODUCT_VERSION }),
  );
}
