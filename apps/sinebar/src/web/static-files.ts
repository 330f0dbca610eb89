import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { IncomingHttpHeaders } from 'node:http';
import { extname, join } from 'node:path';
import { errorCode } from '@sinebar/concurrency';
import { matchesEtag, reply, type Reply } from '@sinebar/http';

/** A file to serve, as bytes for each content coding that it has. */
export interface StaticFile {
  type: string;
  etag: string;
  /** Bytes by content coding; `identity` is always there. */
  codings: ReadonlyMap<string, Buffer>;
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.md': 'text/markdown; charset=utf-8',
};
const ENDINGS: Readonly<Record<string, string>> = { br: '.br', gzip: '.gz' };

/** Makes a file of bytes. @param name whose ending tells the media type. @param packed bytes of the same file in other content codings */
export function staticFile(name: string, bytes: Buffer, packed: readonly (readonly [string, Buffer])[] = []): StaticFile {
  const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"`;
  return { type: TYPES[extname(name)] ?? 'application/octet-stream', etag, codings: new Map([...packed, ['identity', bytes]]) };
}

/** Files of a folder, read once; those beside them that end in `.br` and `.gz` are the same in another content coding. */
export class StaticFolder {
  private readonly folder: string;
  private readonly names: ReadonlySet<string>;
  private readonly files = new Map<string, Promise<StaticFile>>();

  /** @param names of the files that are served */
  constructor(folder: string, names: Iterable<string>) {
    this.folder = folder;
    this.names = new Set(names);
  }

  /** @returns undefined when the folder has no such file, or has it no longer because the page was built again */
  async file(name: string): Promise<StaticFile | undefined> {
    if (!this.names.has(name)) return undefined;
    const known = this.files.get(name) ?? this.load(name);
    this.files.set(name, known);
    // A failed read is not cached.
    known.catch(() => this.files.delete(name));
    try {
      return await known;
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return undefined;
      throw error;
    }
  }

  private async load(name: string): Promise<StaticFile> {
    const path = join(this.folder, name);
    const packed = Object.entries(ENDINGS).filter(([, ending]) => existsSync(path + ending));
    const codings = await Promise.all(packed.map(async ([coding, ending]) => [coding, await readFile(path + ending)] as const));
    return staticFile(name, await readFile(path), codings);
  }
}

/** Answers with a file, in the smallest coding that the client accepts, or with 304. */
export function fileReply(file: StaticFile, headers: IncomingHttpHeaders, own: Readonly<Record<string, string>>): Reply {
  const coding = codingFor(headers['accept-encoding'], file);
  const isIdentity = coding === 'identity';
  // Each coding is another representation and needs a tag of its own.
  const etag = isIdentity ? file.etag : file.etag.replace(/"$/, `-${coding}"`);
  const all = { ...own, ETag: etag, Vary: 'Accept-Encoding', 'X-Content-Type-Options': 'nosniff' };
  if (matchesEtag(headers['if-none-match'], etag)) return reply.empty(304, all);
  const bytes = file.codings.get(coding) as Buffer;
  const length = { 'Content-Length': String(bytes.length) };
  return reply.stream({ ...all, 'Content-Type': file.type, ...length, ...(!isIdentity && { 'Content-Encoding': coding }) }, (sink) => {
    sink.write(bytes);
    return Promise.resolve();
  });
}

function codingFor(accepted = '', { codings }: StaticFile): string {
  const refused = (coding: string) => new RegExp(`(^|,)\\s*${coding}\\s*;\\s*q=0(\\.0*)?\\s*(,|$)`, 'i').test(accepted);
  const named = (coding: string) => new RegExp(`(^|,)\\s*${coding}\\s*(;|,|$)`, 'i').test(accepted);
  return Object.keys(ENDINGS).find((coding) => codings.has(coding) && named(coding) && !refused(coding)) ?? 'identity';
}
