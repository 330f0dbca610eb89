/**
 * Returns a command for messages, as users of this installation type it: a checkout runs sources, a release its bundle, which npx may run.
 * @param words name and arguments: `doctor --json`
 */
export function commandText(words: string): string {
  if (!import.meta.url.endsWith('.ts')) return `${process.env['npm_command'] === 'exec' ? 'npx ' : ''}sinebar ${words}`;
  return words === 'start' ? 'npm start' : `npm run sinebar -- ${words}`;
}
