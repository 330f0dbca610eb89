import type { Session } from '@sinebar/database';
import type { ComputedAssessment } from '../assessment/computed-assessments.ts';
import { byPart, PartColumns } from '../figures/part-figures.ts';
import type { PlannedCharacteristic } from '../figures/planned-characteristics.ts';
import type { AssessmentFields, ShownAssessment } from '../kept/assessment-fields.ts';
import { readAssessments, readPendingParts } from '../kept/kept-assessment-store.ts';

/** Assessments of characteristics below a part: kept ones, and those that were computed for the request. */
export class PartAssessments {
  private readonly kept: ReadonlyMap<number, { columns: PartColumns; fields: AssessmentFields }>;
  /** Parts whose assessments are older than their values. */
  private readonly pending: ReadonlySet<number>;
  private computed: ReadonlyMap<number, ShownAssessment> = new Map();

  private constructor(kept: PartAssessments['kept'], pending: ReadonlySet<number>) {
    this.kept = kept;
    this.pending = pending;
  }

  static none(): PartAssessments {
    return new PartAssessments(new Map(), new Set());
  }

  static async read(session: Session, characteristics: readonly PlannedCharacteristic[]): Promise<PartAssessments> {
    const partIds = [...byPart(characteristics).keys()];
    const pending = await readPendingParts(session, partIds);
    const stored = await readAssessments(session, partIds, 'shown');
    const kept = new Map([...stored].map(([id, { ids, fields }]) => [id, { columns: new PartColumns(ids), fields }]));
    return new PartAssessments(kept, pending);
  }

  /** Takes in what was computed, as of now. */
  add(computed: ReadonlyMap<number, ComputedAssessment>): void {
    const now = Date.now();
    this.computed = new Map(
      [...computed].map(([id, { process, percentiles, model, outOfNewest }]) => [
        id,
        {
          process,
          ...(percentiles && { model: { name: model!.fit!.name, percentiles } }),
          outOfNewest,
          assessedAt: now,
          fittedAt: now,
        },
      ]),
    );
  }

  find({ id, partId }: PlannedCharacteristic): ShownAssessment | undefined {
    const part = this.kept.get(partId);
    const column = part?.columns.columnOf(id);
    return part !== undefined && column !== undefined ? part.fields.shownAt(column) : this.computed.get(id);
  }

  /** Whether an assessment that was found is older than the values of its characteristic. */
  isOlder({ id, partId }: PlannedCharacteristic): boolean {
    return this.pending.has(partId) && !this.computed.has(id);
  }
}
