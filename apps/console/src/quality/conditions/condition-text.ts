import { formatField, parseSearchCondition, type ConditionOperator, type ItemField } from '@sinebar/query-language';

/** One search condition as its fields show it: a field, an operator and the values to compare with. */
export interface ConditionFields {
  field: ItemField;
  operator: ConditionOperator;
  values: readonly string[];
}

export type WhyUnwritable = 'noValue' | 'ambiguousBracket';

const LISTS: ReadonlySet<ConditionOperator> = new Set(['In', 'NotIn']);

/** Whether the operator compares with a list of values. */
export function takesList(operator: ConditionOperator): boolean {
  return LISTS.has(operator);
}

/** Formats conditions as the parameter `searchCondition`, not yet percent-encoded; the empty text when there are none. */
export function formatConditions(conditions: readonly ConditionFields[]): string {
  return conditions.map(formatCondition).join('+');
}

function formatCondition({ field, operator, values }: ConditionFields): string {
  const value = takesList(operator) ? values.map(formatEntry).join(',') : (values[0] ?? '');
  return `${formatField(field)}${operator}[${value}]`;
}

/** An entry with a comma, a quote in front or blanks around it stands in single quotes. spec: decisions.md 1.5 */
function formatEntry(entry: string): string {
  return /^'|,|^[ \t]|[ \t]$|^$/.test(entry) ? `'${entry.replaceAll("'", "''")}'` : entry;
}

/**
 * Reads the parameter `searchCondition`.
 * @returns `undefined` for a text that is no condition
 */
export function parseConditions(text: string): ConditionFields[] | undefined {
  if (text === '') return [];
  try {
    return parseSearchCondition(text).conditions.map(({ field, operator, values }) => ({ field, operator, values }));
  } catch {
    return undefined;
  }
}

/** Says why a condition cannot be written as text: some brackets in values would end them early. */
export function whyUnwritable(condition: ConditionFields): WhyUnwritable | undefined {
  if (condition.values.length === 0 || (!takesList(condition.operator) && condition.values[0] === '' && condition.operator !== '=')) {
    return 'noValue';
  }
  // A second condition behind it shows whether the value ends where it should.
  const [read, ...others] =
    parseConditions(formatConditions([condition, { field: { kind: 'Created' }, operator: '=', values: ['1'] }])) ?? [];
  const isSame = read !== undefined && others.length === 1 && JSON.stringify(read.values) === JSON.stringify(condition.values);
  return isSame ? undefined : 'ambiguousBracket';
}
