/** Returns the `code` of an error when it is text: of the operating system (`ENOENT`), an SQLSTATE or of a library. */
export function errorCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
