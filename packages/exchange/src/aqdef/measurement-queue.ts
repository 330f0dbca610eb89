import type { FileMeasurement } from '../content.ts';
import type { MeasurementDraft } from './record.ts';

/** Measurements that are complete, until they are taken, and counts of all. */
export class MeasurementQueue {
  measurementCount = 0;
  valueCount = 0;
  private ready: FileMeasurement[] = [];
  private readonly lastOfPart = new Map<number, FileMeasurement>();

  take(): FileMeasurement[] {
    const taken = this.ready;
    this.ready = [];
    return taken;
  }

  /** Adds the measurements of drafts without errors. */
  add(drafts: readonly MeasurementDraft[]): void {
    for (const draft of drafts) {
      if (draft.hasError) continue;
      const measurement = draft.finish(this.lastOfPart.get(draft.part));
      if (measurement.values.length === 0 && Object.keys(measurement.attributes).length === 0) continue;
      this.lastOfPart.set(draft.part, measurement);
      this.ready.push(measurement);
      this.measurementCount += 1;
      this.valueCount += measurement.values.length;
    }
  }
}
