import { createReadStream } from 'node:fs';
import { copyFile, link, mkdir, open, opendir, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { errorCode } from '@sinebar/concurrency';
import {
  closeToOthers,
  isDiskFull,
  isOpenToOthers,
  makePrivateFolder,
  PRIVATE_FILE_MODE,
  PRIVATE_FOLDER_MODE,
  storageFull,
  syncFolder,
} from '@sinebar/runtime';
import { type ByteRange, BlobMissingError, isBlobName, storeUnavailable, type BlobEntry, type BlobStore } from './blob-store.ts';

/** Age in milliseconds after which an unfinished copy belongs to an ended process. */
const ABANDONED_AFTER_MS = 24 * 3600 * 1000;

/**
 * Stores objects as files `<first two digits>/<name>` in a folder.
 * A file gets its name only when its bytes are on the disk (write beside, fsync, rename, fsync of the folder), so a crash leaves the whole
 * file or none.
 */
export class FileBlobStore implements BlobStore {
  private readonly folder: string;
  private readonly unfinished: string;

  constructor(folder: string) {
    this.folder = folder;
    this.unfinished = join(folder, 'unfinished');
  }

  /**
   * Creates the folders and removes unfinished copies of a crashed process.
   * @param shared other processes may write to the folder: recent files are kept
   */
  async prepare(now: Date, shared: boolean): Promise<void> {
    await makePrivateFolder(this.folder);
    await makePrivateFolder(this.unfinished);
    await this.closeOlderFolders();
    for (const name of await readdir(this.unfinished)) {
      const path = join(this.unfinished, name);
      const found = await stat(path).catch(() => undefined);
      // Another process may have renamed the copy in the meantime.
      if (found && (!shared || now.getTime() - found.mtimeMs > ABANDONED_AFTER_MS)) await rm(path, { force: true });
    }
  }

  async put(name: string, path: string, sizeBytes: number): Promise<void> {
    const copy = join(this.unfinished, name);
    try {
      await linkOrCopy(path, copy);
      const file = await open(copy, 'r+');
      try {
        const { size, mode } = await file.stat();
        if (size !== sizeBytes) throw new Error(`expected ${sizeBytes} bytes, found ${size}`);
        if ((mode & ~PRIVATE_FILE_MODE & 0o777) !== 0) await file.chmod(PRIVATE_FILE_MODE);
        await file.sync();
      } finally {
        await file.close();
      }
      const folder = join(this.folder, name.slice(0, 2));
      if ((await mkdir(folder, { recursive: true, mode: PRIVATE_FOLDER_MODE })) !== undefined) await syncFolder(this.folder);
      await rename(copy, join(folder, name));
      await syncFolder(folder);
    } catch (error) {
      await rm(copy, { force: true });
      throw isDiskFull(error) ? storageFull(error) : error;
    }
  }

  async get(name: string, range: ByteRange | undefined, signal: AbortSignal): Promise<Readable> {
    signal.throwIfAborted();
    const file = await open(this.pathOf(name), 'r').catch((error: unknown) => {
      throw isMissing(error) ? new BlobMissingError(name, { cause: error }) : storeUnavailable(error);
    });
    return createReadStream('', { fd: file, highWaterMark: 256 * 1024, signal, ...(range && { start: range.first, end: range.last }) });
  }

  async remove(names: readonly string[]): Promise<void> {
    for (const name of names) {
      await rm(join(this.unfinished, name), { force: true });
      await rm(this.pathOf(name), { force: true });
    }
  }

  async *list(after = ''): AsyncIterable<BlobEntry> {
    for (const folder of await this.fanOutFolders()) {
      if (folder < after.slice(0, 2)) continue;
      const names: string[] = [];
      for await (const entry of await opendir(join(this.folder, folder))) {
        if (entry.isFile() && isBlobName(entry.name) && entry.name > after) names.push(entry.name);
      }
      for (const name of names.sort()) {
        const found = await stat(this.pathOf(name)).catch((error: unknown) => {
          if (isMissing(error)) return undefined;
          throw error;
        });
        if (found) yield { name, sizeBytes: found.size, modified: found.mtime };
      }
    }
  }

  async health(): Promise<{ healthy: boolean; detail: string }> {
    const probe = join(this.unfinished, 'health-probe');
    try {
      // A read-only disk fails only this check.
      await (await open(probe, 'w', PRIVATE_FILE_MODE)).close();
      await rm(probe, { force: true });
      return { healthy: true, detail: 'the folder for files can be written' };
    } catch (error) {
      return { healthy: false, detail: `the folder for files cannot be written (${errorCode(error) ?? 'error'})` };
    }
  }

  /** Restricts the modes of folders of earlier releases. A folder comes after its files, so that an interrupted start repeats it. */
  private async closeOlderFolders(): Promise<void> {
    for (const name of await this.fanOutFolders()) {
      const folder = join(this.folder, name);
      if (!(await isOpenToOthers(folder))) continue;
      for await (const entry of await opendir(folder)) await closeToOthers(join(folder, entry.name));
      await closeToOthers(folder);
    }
  }

  private async fanOutFolders(): Promise<string[]> {
    return (await readdir(this.folder)).filter((name) => /^[0-9a-f]{2}$/.test(name)).sort();
  }

  private pathOf(name: string): string {
    if (!isBlobName(name)) throw new Error(`not the name of an object: ${name}`);
    return join(this.folder, name.slice(0, 2), name);
  }
}

/** Renames instead of copying when both paths are on one file system. */
async function linkOrCopy(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch (error) {
    if (isMissing(error)) throw error;
    await copyFile(from, to);
  }
}

function isMissing(error: unknown): boolean {
  return errorCode(error) === 'ENOENT';
}
