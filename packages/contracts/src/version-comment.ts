/** Who has changed an item, and why. */
export interface VersionComment {
  user: string;
  reason: string;
}

/**
 * Reads a comment in the form that the specification suggests, `[user]: reason`.
 * @returns undefined for one in another form
 * spec: inspection-service.md, Parts
 */
export function readVersionComment(comment: string): VersionComment | undefined {
  const [, user, reason] = /^\s*\[(.*?)\]\s*:\s*(.*)$/s.exec(comment) ?? [];
  return user === undefined ? undefined : { user, reason: reason ?? '' };
}
