/** Log of a bus. Details never hold credentials. */
export type BusLog = (level: 'debug' | 'info' | 'warn' | 'error', message: string, details?: Readonly<Record<string, unknown>>) => void;

/** Default log, which discards everything. */
export const silentLog: BusLog = () => undefined;

export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

export function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
