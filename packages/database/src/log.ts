import { errorCode } from '@sinebar/concurrency';

/** Receives log lines for operators; a pino logger fits. Fields never contain credentials or values of statements. */
export interface DatabaseLog {
  info(fields: object, sentence: string): void;
  warn(fields: object, sentence: string): void;
  error(fields: object, sentence: string): void;
}

export const SILENT_LOG: DatabaseLog = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** Returns loggable fields of a failure: its sentence and code, without the driver's `detail`, which quotes stored values. */
export function failureFields(error: unknown): { reason: string; code?: string } {
  if (!Error.isError(error)) return { reason: String(error) };
  const code = errorCode(error);
  return { reason: error.message, ...(code !== undefined && { code }) };
}
