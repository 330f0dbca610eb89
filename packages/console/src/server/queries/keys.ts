/**
 * First words of the query keys. Events renew queries by them: `plan`, `configuration`, `files` and `overview` by themselves; `values` are
 * renewed by the page that shows them, so that nothing moves under the eyes of the reader.
 */
export const KEYS = {
  server: 'server',
  plan: 'plan',
  configuration: 'configuration',
  files: 'files',
  overview: 'overview',
  values: 'values',
  measurements: 'measurements',
} as const;
