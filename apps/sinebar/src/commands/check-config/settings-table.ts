import { authenticationProblems, authenticationRemarks, authenticationSettings } from '@sinebar/authentication';
import {
  describeSettings,
  loadSettings,
  SettingsError,
  unknownVariables,
  type Environment,
  type SettingDefinitions,
  type SettingRow,
} from '@sinebar/runtime';

export interface SettingsReport {
  text: string;
  /** True if the service would start with these settings. */
  sound: boolean;
}

/**
 * Formats the effective settings for one way to run Sinebar as a table.
 * @param everything settings of all processes, to separate typing errors from settings of other processes
 */
export function settingsReport(
  name: string,
  definitions: SettingDefinitions,
  everything: SettingDefinitions,
  env: Environment,
): SettingsReport {
  const rows = describeSettings(definitions, env);
  const problems = rows.filter(({ value }) => value.startsWith('PROBLEM'));
  const unknown = unknownVariables({ ...definitions, ...everything }, env);
  const elsewhere = unknownVariables(definitions, env).filter((variable) => !unknown.includes(variable));
  const lines = [`Settings in force for ${name}`, '', ...table(rows)];
  if (elsewhere.length > 0) lines.push('', `Set, but used by other parts only: ${elsewhere.join(', ')}`);
  if (unknown.length > 0) lines.push('', `Not known to any part, a typing error? ${unknown.join(', ')}`);
  const together = problems.length === 0 ? signInReport(env) : { problems: [], remarks: [] };
  lines.push(...together.remarks.map((remark) => `\nNote: ${remark}`), ...together.problems.map((problem) => `\nPROBLEM with ${problem}`));
  const toChange = [...problems.map((row) => row.name), ...together.problems.map((problem) => problem.split(':')[0] ?? problem)];
  lines.push('', toChange.length === 0 ? 'No problems.' : `To be changed: ${toChange.join(', ')}`);
  return { text: lines.join('\n'), sound: toChange.length === 0 };
}

/** Finds problems of the sign-in settings that are not visible in a single setting. */
function signInReport(env: Environment): { problems: string[]; remarks: string[] } {
  try {
    const { values } = loadSettings(authenticationSettings, env);
    return { problems: authenticationProblems(values), remarks: authenticationRemarks(values) };
  } catch (error) {
    if (error instanceof SettingsError) return { problems: [...error.problems], remarks: [] };
    throw error;
  }
}

function table(rows: readonly SettingRow[]): string[] {
  const all = [{ name: 'NAME', value: 'VALUE', source: 'SOURCE', description: 'MEANING' }, ...rows];
  const width = (column: 'name' | 'value' | 'source', most: number): number =>
    Math.min(most, Math.max(...all.map((row) => row[column].length)));
  const widths = { name: width('name', 40), value: width('value', 32), source: width('source', 11) };
  return all.map(
    ({ name, value, source, description }) =>
      `${name.padEnd(widths.name)}  ${value.padEnd(widths.value)}  ${source.padEnd(widths.source)}  ${description}`,
  );
}
