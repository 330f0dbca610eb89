/** Receives log lines for operators; a pino logger fits. Fields never contain credentials. */
export interface BusLog {
  debug(fields: object, sentence: string): void;
  info(fields: object, sentence: string): void;
  warn(fields: object, sentence: string): void;
  error(fields: object, sentence: string): void;
}

/** Default log, which discards everything. */
export const SILENT_LOG: BusLog = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

export function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
