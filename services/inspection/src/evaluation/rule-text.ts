import { nearestName } from '@sinebar/http';
import { RULES, RUN_RULES, type RuleSetting } from '@sinebar/statistics';

/** Reads a rule such as `nelson2` or `nelson2:7`, in any case. @returns a problem as text when it is none */
export function parseRule(text: string): RuleSetting | string {
  const [name = '', ...lengths] = text.split(':');
  const rule = RUN_RULES.find((known) => known.toLowerCase() === name.trim().toLowerCase());
  if (rule === undefined) {
    const nearest = nearestName(name.trim(), RUN_RULES);
    return `${JSON.stringify(text.slice(0, 80))} is no rule${nearest === undefined ? `; the rules are ${RUN_RULES.join(', ')}` : `; the nearest one is ${nearest}`}`;
  }
  const {
    length: usual,
    lengths: [least, most],
  } = RULES[rule];
  if (lengths.length === 0) return { rule, length: usual };
  if (least === most) return `the rule ${rule} has a fixed length, so write it without one`;
  const length = lengths.length === 1 && /^\s*\d{1,3}\s*$/.test(lengths[0] ?? '') ? Number(lengths[0]) : 0;
  if (length < least || length > most) {
    return `the length of the rule ${rule} is a whole number from ${least} to ${most}, such as ${rule}:${usual}`;
  }
  return { rule, length };
}
