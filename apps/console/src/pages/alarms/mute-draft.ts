/** A planned stop as it is written in a form; times are instants, or empty. */
export interface MuteDraft {
  /** Path as rights take it: `/Car door/Frame`. */
  readonly partPath?: string;
  /** Now, where it is empty. */
  readonly from: string;
  readonly until: string;
  readonly reason: string;
}

/** Why a stop cannot be planned. */
export type MuteProblem = 'needsPart' | 'needsUntil' | 'isOver' | 'wrongOrder' | 'needsReason';

export function muteProblem({ partPath, from, until, reason }: MuteDraft, now: Date): MuteProblem | undefined {
  if (partPath === undefined) return 'needsPart';
  if (until === '') return 'needsUntil';
  if (Date.parse(until) <= now.getTime()) return 'isOver';
  if (from !== '' && Date.parse(until) <= Date.parse(from)) return 'wrongOrder';
  return reason.trim() === '' ? 'needsReason' : undefined;
}
