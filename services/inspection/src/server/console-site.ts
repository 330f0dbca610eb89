import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { errorCode } from '@sinebar/concurrency';

/** A file of the built console, as bytes for each content coding that it has. */
export interface SiteFile {
  type: string;
  etag: string;
  /** Bytes by content coding; `identity` is always there. */
  codings: ReadonlyMap<string, Buffer>;
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.md': 'text/markdown; charset=utf-8',
};
const ENDINGS: Readonly<Record<string, string>> = { br: '.br', gzip: '.gz', identity: '' };

/** The built console: its assets, and its page for a depth of the address. */
export class ConsoleSite {
  private readonly folder: string;
  private readonly assets: ReadonlySet<string>;
  private readonly page: string;
  private readonly read = new Map<string, Promise<SiteFile>>();

  private constructor(folder: string) {
    this.folder = folder;
    this.page = readFileSync(join(folder, 'index.html'), 'utf8');
    this.assets = new Set(readdirSync(join(folder, 'assets')));
  }

  /** Opens the folder that the build of the console has written. @returns undefined when it is not built */
  static open(folder: string): ConsoleSite | undefined {
    try {
      return new ConsoleSite(folder);
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return undefined;
      throw error;
    }
  }

  /** @param name of a file in `assets`. @returns undefined when there is none */
  asset(name: string): Promise<SiteFile> | undefined {
    if (!this.assets.has(name) || /\.(br|gz)$/.test(name)) return undefined;
    const known = this.read.get(name) ?? this.load(name);
    this.read.set(name, known);
    // A failed read is not cached.
    known.catch(() => this.read.delete(name));
    return known;
  }

  /**
   * Makes the page for an address, which finds its assets relative to it: the server may lie below a prefix that it does not know.
   * @param depth number of slashes behind `/console/`
   */
  pageAt(depth: number): SiteFile {
    const bytes = Buffer.from(this.page.replaceAll('"./', `"./${'../'.repeat(depth)}`));
    return { type: TYPES['.html'] as string, etag: etagOf(bytes), codings: new Map([['identity', bytes]]) };
  }

  private async load(name: string): Promise<SiteFile> {
    const codings = new Map<string, Buffer>();
    for (const [coding, ending] of Object.entries(ENDINGS)) {
      if (ending === '' || this.assets.has(name + ending)) codings.set(coding, await readFile(join(this.folder, 'assets', name + ending)));
    }
    return { type: TYPES[extname(name)] ?? 'application/octet-stream', etag: etagOf(codings.get('identity') as Buffer), codings };
  }
}

function etagOf(bytes: Buffer): string {
  return `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"`;
}
