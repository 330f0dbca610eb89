import type { MeasurementCascade } from './measurement-cascade.js';
import type { PathScope } from '@sinebar/access-control';
import type { PlanItemKind } from '@sinebar/query-language';

/** Place of a part or characteristic in the inspection plan. */
export interface PlanItem {
  id: number;
  uuid: string;
  kind: PlanItemKind;
  /** `null` for the root only. */
  parentId: number | null;
  /** The owning part; a part owns itself. */
  partId: number;
  name: string;
  /** Stored path: folded, for comparison and ranges. */
  path: string;
  /** With type marker and names as written, as clients see it. */
  markedPath: string;
  /** Elements of the path; 0 for the root. */
  depth: number;
}

export type Attributes = Readonly<Record<string, string>>;

/** An item that is to be created; its parent is known by then. */
export interface NewPlanItem extends PlanItem {
  attributes: Attributes;
}

/** An item with what an update compares. */
export interface StoredPlanItem extends PlanItem {
  attributes: Attributes;
}

/** The state of an item after an update, without its descendants. */
export interface ChangedPlanItem {
  before: StoredPlanItem;
  after: StoredPlanItem;
}

/** Where an item was and where it is, with everything below it. */
export interface Relocation {
  before: PlanItem;
  after: PlanItem;
}

/** One change of the plan: its number, its time, and what versioning keeps of it. */
export interface PlanChange {
  revision: number;
  at: Date;
  /** Whether earlier states and the comment are kept. */
  versioned: boolean;
  comment: string | null;
}

/** Who changes the plan, when, and whether the change is versioned. */
export interface ChangeContext {
  writable: PathScope;
  measurements: MeasurementCascade;
  versioned: boolean;
  at: Date;
}
