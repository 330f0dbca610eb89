/**
 * Translates a `Like` pattern for PostgreSQL's `LIKE … ESCAPE '\'`: `%` stands for any run of characters, also none.
 * All other characters, `_`, `*` and `\` included, stand for themselves; a literal `%` cannot be written.
 * spec: inspection-service.md, Search condition
 */
export function likeToPostgres(pattern: string): string {
  return pattern.replace(/[\\_]/g, '\\$&');
}
