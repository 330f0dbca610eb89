/** Types for the members of `unzipper` that tests use; the package has none. */
declare module 'unzipper' {
  interface ArchiveFile {
    path: string;
    type: 'File' | 'Directory';
    buffer: () => Promise<Buffer>;
  }

  const unzipper: { Open: { buffer(bytes: Buffer): Promise<{ files: ArchiveFile[] }> } };
  export default unzipper;
}
