import { basename } from 'node:path';

/**
 * Returns the address of a file that a module needs beside itself, such as the module of a worker thread.
 * A release joins all modules into files of one folder, which also holds these files.
 * @param moduleUrl `import.meta.url` of the caller
 * @param source path of the file, relative to the source of the caller
 * @param released its path in the folder of a release
 */
export function programFile(moduleUrl: string, source: string, released = basename(source).replace(/\.ts$/, '.js')): URL {
  return new URL(moduleUrl.endsWith('.ts') ? source : released, moduleUrl);
}
