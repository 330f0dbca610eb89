import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Templates that the product brings along. */
export const BUILT_IN_TEMPLATES = [
  'part',
  'characteristic',
  'measurement',
  'first-article',
  'dimensional-results',
  'capability-list',
  'alarms',
] as const;
export type BuiltInTemplate = (typeof BUILT_IN_TEMPLATES)[number];

export function isBuiltIn(name: string): name is BuiltInTemplate {
  return (BUILT_IN_TEMPLATES as readonly string[]).includes(name);
}

/** A release has the templates beside its modules. */
const FOLDER = join(import.meta.dirname, import.meta.url.endsWith('.ts') ? '../../templates' : 'report-templates');

/** Reads the text of a template that the product brings along. */
export function builtInTemplate(name: BuiltInTemplate): string {
  return readFileSync(join(FOLDER, `${name}.yaml`), 'utf8');
}
