/** Who has changed an item, and why: the comment of a version, `[user]: reason`. */
export interface VersionComment {
  user: string;
  reason: string;
}

/** Writes a comment in the form that the interface suggests; without both there is none. spec: inspection-service.md, Parts */
export function commentFrom({ user, reason }: VersionComment): string | undefined {
  const text = reason.trim();
  if (user === '') return text === '' ? undefined : text;
  return `[${user}]: ${text}`.trim();
}

/** Reads a comment; one in another form is all reason. */
export function readComment(comment: string | undefined): VersionComment {
  const [, user, reason] = /^\s*\[(.*?)\]\s*:\s*(.*)$/s.exec(comment ?? '') ?? [];
  return user === undefined ? { user: '', reason: comment ?? '' } : { user, reason: reason ?? '' };
}
