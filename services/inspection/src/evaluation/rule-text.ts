import { nearestName } from '@sinebar/http';
import { RUN_RULES, type RunRule } from '@sinebar/statistics';

/** Lengths of the runs of the rules whose length may be chosen. */
const STANDARD_LENGTHS: Partial<Record<RunRule, number>> = {
  nelson2: 9,
  nelson3: 6,
  nelson4: 14,
  nelson7: 15,
  nelson8: 8,
  westernElectric4: 8,
};
const MIN_LENGTH = 2;
const MAX_LENGTH = 100;

/** A run rule with the length of its run, where this is not the standard one. */
export interface RuleChoice {
  rule: RunRule;
  length?: number;
}

/** Reads a rule such as `nelson2` or `nelson2:7`, in any case. @returns a problem as text when it is none */
export function parseRule(text: string): RuleChoice | string {
  const [name = '', ...lengths] = text.split(':');
  const rule = RUN_RULES.find((known) => known.toLowerCase() === name.trim().toLowerCase());
  if (rule === undefined) {
    const nearest = nearestName(name.trim(), RUN_RULES);
    return `${JSON.stringify(text.slice(0, 80))} is no rule${nearest === undefined ? `; the rules are ${RUN_RULES.join(', ')}` : `; the nearest one is ${nearest}`}`;
  }
  if (lengths.length === 0) return { rule };
  const standard = STANDARD_LENGTHS[rule];
  if (standard === undefined) return `the rule ${rule} has a fixed length, so write it without one`;
  const length = lengths.length === 1 && /^\s*\d{1,3}\s*$/.test(lengths[0] ?? '') ? Number(lengths[0]) : 0;
  if (length < MIN_LENGTH || length > MAX_LENGTH) {
    return `the length of the rule ${rule} is a whole number from ${MIN_LENGTH} to ${MAX_LENGTH}, such as ${rule}:${standard}`;
  }
  return length === standard ? { rule } : { rule, length };
}

export function ruleText({ rule, length }: RuleChoice): string {
  return length === undefined ? rule : `${rule}:${length}`;
}
