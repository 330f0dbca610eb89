import type { MeasurementCascade } from './measurement-cascade.ts';
import type { PathScope } from '@sinebar/access-control';
import type { PlanItemKind } from '@sinebar/query-language';

/** A part or characteristic with its path in the inspection plan. */
export interface PlanItem {
  id: number;
  uuid: string;
  kind: PlanItemKind;
  /** `null` for the root only. */
  parentId: number | null;
  /** The owning part; a part owns itself. */
  partId: number;
  name: string;
  /** Stored path: case-folded, for comparison and ranges. */
  path: string;
  /** Path as clients see it, with type marker and names as written. */
  markedPath: string;
  /** Elements of the path; 0 for the root. */
  depth: number;
}

export type Attributes = Readonly<Record<string, string>>;

/** An item to create, with its parent resolved. */
export interface NewPlanItem extends PlanItem {
  attributes: Attributes;
}

/** An item with the attributes that an update compares. */
export interface StoredPlanItem extends PlanItem {
  attributes: Attributes;
}

export interface ChangedPlanItem {
  before: StoredPlanItem;
  after: StoredPlanItem;
}

/** The old and new path of an item; its subtree moves with it. */
export interface Relocation {
  before: PlanItem;
  after: PlanItem;
}

/** One change of the plan: its number, its time and its data for the history. */
export interface PlanChange {
  revision: number;
  at: Date;
  /** Whether earlier states and the comment are kept. */
  versioned: boolean;
  comment: string | null;
}

export interface ChangeContext {
  writable: PathScope;
  measurements: MeasurementCascade;
  versioned: boolean;
  at: Date;
}
