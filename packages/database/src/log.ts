import { errorCode } from '@sinebar/concurrency';
import { isError } from './transaction/translate-error.js';

/** Where this package reports what an operator should see; a pino logger fits. Fields never hold addresses with credentials or values of statements. */
export interface DatabaseLog {
  info(fields: object, sentence: string): void;
  warn(fields: object, sentence: string): void;
  error(fields: object, sentence: string): void;
}

export const SILENT_LOG: DatabaseLog = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** Fields of a failure that may be logged: its sentence and its code. The driver's `detail` is left out because it quotes stored values. */
export function failureFields(error: unknown): { reason: string; code?: string } {
  if (!isError(error)) return { reason: String(error) };
  const code = errorCode(error);
  return { reason: error.message, ...(code !== undefined && { code }) };
}
