import { ServiceError, type TargetEntity } from '@sinebar/contracts';
import { quoted } from '@sinebar/http';
import { BlobMissingError } from '../blobs/blob-store.js';
import type { Caller, ObjectService } from '../objects/object-service.js';
import type { RawDataObject } from '../objects/raw-data-object.js';
import { describeTarget } from '../targets/target.js';
import type { ArchiveDirectory, ArchiveEntry } from './archive-directory.js';
import type { ArchiveReader } from './archive-reader.js';

export interface ArchiveAddress {
  target: TargetEntity;
  key: number;
}

/** An entry that was found and can be read. */
export interface FoundEntry {
  archive: RawDataObject;
  entry: ArchiveEntry;
}

export interface ArchiveServiceDependencies {
  objects: Pick<ObjectService, 'find' | 'findReadable'>;
  reader: ArchiveReader;
}

/** Number of look-ups when an archive keeps being replaced before it is read. */
const ATTEMPTS = 3;

/** Reads archives that the caller may read. */
export class ArchiveService {
  private readonly deps: ArchiveServiceDependencies;

  constructor(deps: ArchiveServiceDependencies) {
    this.deps = deps;
  }

  /** @throws ServiceError 404, 403, 400 when it is no archive */
  async open(address: ArchiveAddress, caller: Caller): Promise<{ archive: RawDataObject; directory: ArchiveDirectory }> {
    return whilePresent(async () => {
      const archive = await this.deps.objects.find(address.target, address.key, caller);
      return { archive, directory: await this.deps.reader.directory(archive, caller.signal) };
    });
  }

  /** @throws ServiceError 404 when there is no such entry, and as `open` */
  async findEntry(address: ArchiveAddress, name: string, caller: Caller): Promise<FoundEntry> {
    const { archive, directory } = await this.open(address, caller);
    const entry = directory.find(name);
    if (!entry) {
      const message = `raw data ${archive.key} of ${describeTarget(archive.target)} contains no file ${quoted(name)}`;
      throw new ServiceError('NotFound', message, { details: [{ field: 'filename', message }] });
    }
    this.deps.reader.requireReadable(archive, entry);
    return { archive, entry };
  }

  /**
   * Archives that can be read, in the order asked for; those that are not there or that the caller may not read are left out.
   * @throws ServiceError 400 when one is no archive
   * spec: decisions.md 6.8, 8.3
   */
  async findArchives(addresses: readonly ArchiveAddress[], caller: Caller): Promise<RawDataObject[]> {
    return whilePresent(async () => {
      const archives = (await this.findAll(addresses, caller)).filter((archive) => archive !== undefined);
      for (const archive of new Set(archives)) await this.deps.reader.directory(archive, caller.signal);
      return archives;
    });
  }

  /**
   * Entries of archives, in the order asked for, without those that are not there or that the caller may not read. One directory is held at
   * a time.
   * @throws ServiceError 400 when one is in no archive, or cannot be read
   * spec: decisions.md 6.8, 8.3
   */
  async findEntries(selectors: readonly (ArchiveAddress & { entries: readonly string[] })[], caller: Caller): Promise<FoundEntry[]> {
    return whilePresent(async () => {
      const archives = await this.findAll(selectors, caller);
      const found: FoundEntry[] = [];
      for (const [i, { entries }] of selectors.entries()) {
        const archive = archives[i];
        if (!archive) continue;
        const directory = await this.deps.reader.directory(archive, caller.signal);
        for (const name of entries) {
          const entry = directory.find(name);
          if (!entry) continue;
          this.deps.reader.requireReadable(archive, entry);
          found.push({ archive, entry });
        }
      }
      return found;
    });
  }

  /** The directory of an archive that was found before. @throws ServiceError 503 when it was replaced in the meantime */
  async directory(archive: RawDataObject, signal: AbortSignal): Promise<ArchiveDirectory> {
    return this.deps.reader.directory(archive, signal).catch(asUnavailable);
  }

  /**
   * The bytes of an entry that was found before.
   * @throws ServiceError 400 when it is damaged, 503 when the archive was replaced in the meantime
   */
  async *read({ archive, entry }: FoundEntry, signal: AbortSignal): AsyncGenerator<Buffer> {
    try {
      yield* this.deps.reader.read(archive, entry, signal);
    } catch (error) {
      asUnavailable(error);
    }
  }

  /** In the order asked for. The same address gives the same object. */
  private async findAll(addresses: readonly ArchiveAddress[], caller: Caller): Promise<(RawDataObject | undefined)[]> {
    const found = await this.deps.objects.findReadable(addresses, caller);
    const objects = new Map(found.map((object) => [addressText(object), object]));
    return addresses.map((address) => objects.get(addressText(address)));
  }
}

function addressText({ target, key }: ArchiveAddress): string {
  return `${target.entity} ${target.uuid} ${key}`;
}

/** Repeats work that found the bytes of an archive removed: it was replaced after the look-up. */
async function whilePresent<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; attempt < ATTEMPTS; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof BlobMissingError)) throw error;
    }
  }
  return work().catch(asUnavailable);
}

function asUnavailable(error: unknown): never {
  if (!(error instanceof BlobMissingError)) throw error;
  throw new ServiceError('Unavailable', 'the bytes of an archive cannot be found; try again', { retryAfterSeconds: 1, cause: error });
}
