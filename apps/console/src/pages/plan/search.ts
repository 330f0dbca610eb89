import { oneOf, searchParameters } from '../../server/search-parameters';

export const KINDS = ['part', 'characteristic'] as const;
export type PlanKind = (typeof KINDS)[number];

/** Parameters in the address of the page for changing the plan. */
export interface PlanAddress extends Readonly<Record<string, unknown>> {
  /** Opens the dialog for a new part or characteristic. */
  create: PlanKind;
}

export const search = searchParameters<PlanAddress>({ create: oneOf(KINDS) });
