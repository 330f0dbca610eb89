import { describeSettings, unknownVariables, type Environment, type SettingDefinitions, type SettingRow } from '@sinebar/service-kit';

export interface SettingsReport {
  text: string;
  /** Whether the service would start with these settings. */
  sound: boolean;
}

/**
 * What is in force for one way to run Sinebar, as a table for people.
 * @param everything the settings of all parts, by which typing errors are told from settings of other parts
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
  lines.push('', problems.length === 0 ? 'No problems.' : `To be changed: ${problems.map((row) => row.name).join(', ')}`);
  return { text: lines.join('\n'), sound: problems.length === 0 };
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
