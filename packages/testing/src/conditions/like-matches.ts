/**
 * Matches a text against a `Like` pattern: `%` stands for any run of characters, also none.
 * All other characters, `_`, `*` and `\` included, stand for themselves. A literal `%` cannot be written. Case counts: fold both sides
 * first where it should not.
 * spec: inspection-service.md, Search condition
 */
export function likeMatches(pattern: string, text: string): boolean {
  const pieces = pattern.split('%');
  const first = pieces[0] as string;
  if (pieces.length === 1) return first === text;
  const last = pieces[pieces.length - 1] as string;
  if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last)) return false;
  const end = text.length - last.length;
  let position = first.length;
  // The leftmost match of every piece leaves the most room for later pieces, so no backtracking is needed.
  for (const piece of pieces.slice(1, -1)) {
    const found = text.indexOf(piece, position);
    if (found < 0 || found + piece.length > end) return false;
    position = found + piece.length;
  }
  return true;
}
