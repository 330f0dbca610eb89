import { readVersionComment, type VersionComment } from '@sinebar/client';

/** Writes a comment in the form that the interface suggests; without both there is none. spec: inspection-service.md, Parts */
export function commentFrom({ user, reason }: VersionComment): string | undefined {
  const text = reason.trim();
  if (user === '') return text === '' ? undefined : text;
  return `[${user}]: ${text}`.trim();
}

/** Reads a comment; one in another form is all reason. */
export function readComment(comment: string | undefined): VersionComment {
  return readVersionComment(comment ?? '') ?? { user: '', reason: comment ?? '' };
}
