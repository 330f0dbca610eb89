/** `Part report Housing 2026-03-31.pdf`, without what file systems refuse. */
export function fileNameOf(title: string, to: string, ending = 'pdf'): string {
  const name = title
    .replaceAll(/[\p{Cc}"*/:<>?\\|]+/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return `${name.slice(0, 120)} ${to.slice(0, 10)}.${ending}`;
}

/** Header of a download. */
export function dispositionOf(name: string): string {
  const ascii = name.replaceAll(/[^\x20-\x7E]/g, '_');
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encodeURIComponent(name).replaceAll(/['()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)}`;
}
