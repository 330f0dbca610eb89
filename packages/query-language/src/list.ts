/**
 * Reads a list parameter: `{a,b}`, braces optional, blanks around items ignored, `{}` and the empty text are the empty list.
 * Items in braces of their own, as uuids may be written, keep them: `{{a},{b}}` and `{a},{b}` have the items `{a}` and `{b}`.
 * spec: decisions.md 1.3
 */
export function parseList(text: string): string[] {
  const trimmed = text.trim();
  const inner = bracesEncloseAll(trimmed) ? trimmed.slice(1, -1) : trimmed;
  if (inner.trim() === '') return [];
  return inner.split(',').map((item) => item.trim());
}

function bracesEncloseAll(text: string): boolean {
  if (!text.startsWith('{') || !text.endsWith('}')) return false;
  let depth = 0;
  for (let i = 0; i < text.length; i += 1) {
    if (text[i] === '{') depth += 1;
    else if (text[i] === '}') depth -= 1;
    if (depth === 0) return i === text.length - 1;
  }
  return false;
}
