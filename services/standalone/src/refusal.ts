/**
 * Why Sinebar does not start, as a sentence for the person at the terminal that says what to do. It is printed without a stack trace.
 */
export class StartRefusedError extends Error {
  override readonly name = 'StartRefusedError';
}

/** The message of anything thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
