/** Where a bus reports what its callers do not see otherwise. Details never hold credentials. */
export type BusLog = (level: 'debug' | 'info' | 'warn' | 'error', message: string, details?: Readonly<Record<string, unknown>>) => void;

/** For callers that do not listen. */
export const silentLog: BusLog = () => undefined;

export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

export function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
