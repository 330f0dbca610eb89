import { ServiceError, type TargetEntity } from '@sinebar/contracts';
import { quoted } from '@sinebar/http';
import { BlobMissingError } from '../blobs/blob-store.ts';
import type { Caller, ObjectService } from '../objects/object-service.ts';
import type { RawDataObject } from '../objects/raw-data-object.ts';
import { describeTarget } from '../targets/target.ts';
import type { ArchiveDirectory, ArchiveEntry } from './archive-directory.ts';
import type { ArchiveReader } from './archive-reader.ts';

export interface ArchiveAddress {
  target: TargetEntity;
  key: number;
}

/** An entry that exists and can be read. */
export interface FoundEntry {
  archive: RawDataObject;
  entry: ArchiveEntry;
}

export interface ArchiveServiceDependencies {
  objects: Pick<ObjectService, 'find' | 'findReadable'>;
  reader: ArchiveReader;
}

/** Look-ups before an archive that is replaced again and again is reported as unavailable. */
const ATTEMPTS = 3;

export class ArchiveService {
  private readonly deps: ArchiveServiceDependencies;

  constructor(deps: ArchiveServiceDependencies) {
    this.deps = deps;
  }

  /** @throws ServiceError 404, 403; 400 when the file is not an archive */
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
      const message = `Raw data ${archive.key} of ${describeTarget(archive.target)} contains no file ${quoted(name)}.`;
      throw new ServiceError('NotFound', message, { details: [{ field: 'filename', message }] });
    }
    this.deps.reader.requireReadable(archive, entry);
    return { archive, entry };
  }

  /**
   * Finds readable archives, in the order requested; leaves out those that are missing or that the caller may not read.
   * @throws ServiceError 400 when a file is not an archive
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
   * Finds entries of archives, in the order requested, without those that are missing or that the caller may not read.
   * Keeps one directory in memory at a time.
   * @throws ServiceError 400 when an entry is in no archive, or cannot be read
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

  /** Reads the directory of an archive. @throws ServiceError 503 when the archive was replaced after its look-up */
  async directory(archive: RawDataObject, signal: AbortSignal): Promise<ArchiveDirectory> {
    return this.deps.reader.directory(archive, signal).catch(asUnavailable);
  }

  /** Reads the bytes of an entry. @throws ServiceError 400 when it is damaged, 503 when the archive was replaced after its look-up */
  async *read({ archive, entry }: FoundEntry, signal: AbortSignal): AsyncGenerator<Buffer> {
    try {
      yield* this.deps.reader.read(archive, entry, signal);
    } catch (error) {
      asUnavailable(error);
    }
  }

  /** Keeps the order of the request. The same address gives the same object. */
  private async findAll(addresses: readonly ArchiveAddress[], caller: Caller): Promise<(RawDataObject | undefined)[]> {
    const found = await this.deps.objects.findReadable(addresses, caller);
    const objects = new Map(found.map((object) => [addressText(object), object]));
    return addresses.map((address) => objects.get(addressText(address)));
  }
}

function addressText({ target, key }: ArchiveAddress): string {
  return `${target.entity} ${target.uuid} ${key}`;
}

/** Repeats work when the bytes of an archive are missing because it was replaced after the look-up. */
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
  throw new ServiceError('Unavailable', 'The bytes of an archive cannot be found. Try again in a few seconds.', {
    retryAfterSeconds: 1,
    cause: error,
  });
}
