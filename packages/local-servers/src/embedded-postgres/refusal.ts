import { StartRefusal } from '@sinebar/contracts';

/** Thrown when Sinebar refuses to start; its sentence says what to do. Printed without a stack trace. */
export class StartRefusedError extends StartRefusal {
  override readonly name = 'StartRefusedError';
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
