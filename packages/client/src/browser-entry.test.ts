import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { dirname, join } from 'node:path';
import vm from 'node:vm';
import { describe, expect, it } from '@jest/globals';

const ENTRY = join(import.meta.dirname, 'index.ts');
const CONTRACTS = join(import.meta.dirname, '../../contracts/src/index.ts');
const PACKAGES = join(import.meta.dirname, '../node_modules');
/** Browser globals that the modules may use. */
const WEB = {
  fetch,
  URL,
  AbortController,
  AbortSignal,
  TextEncoder,
  btoa,
  ReadableStream,
  Response,
  Request,
  Headers,
  setTimeout,
  clearTimeout,
  console,
};

/** Loads modules as a browser does: no Node globals, no Node modules, browser entries of packages. */
class Page {
  readonly context: vm.Context;
  readonly files: string[] = [];
  private readonly modules = new Map<string, vm.SourceTextModule>();

  constructor(globals: object) {
    this.context = vm.createContext({ ...globals });
    vm.runInContext('globalThis.self = globalThis; globalThis.window = globalThis;', this.context);
  }

  async load(file: string): Promise<Record<string, unknown>> {
    const module = this.module(file);
    await module.link((specifier, from) => this.module(resolve(specifier, from.identifier)));
    await module.evaluate();
    return module.namespace as Record<string, unknown>;
  }

  private module(file: string): vm.SourceTextModule {
    let module = this.modules.get(file);
    if (!module) {
      const text = readFileSync(file, 'utf8');
      const code = file.endsWith('.ts') ? stripTypeScriptTypes(text) : text;
      module = new vm.SourceTextModule(code, { identifier: file, context: this.context });
      this.modules.set(file, module);
      this.files.push(file);
    }
    return module;
  }
}

function resolve(specifier: string, from: string): string {
  if (specifier.startsWith('.')) return join(dirname(from), specifier);
  if (specifier === '@sinebar/contracts') return CONTRACTS;
  if (specifier === 'socket.io-client') return join(PACKAGES, 'socket.io-client/dist/socket.io.esm.min.js');
  if (/^zod(\/|$)/.test(specifier)) return join(dirname(CONTRACTS), '../node_modules', specifier === 'zod' ? 'zod/index.js' : specifier);
  throw new Error(`a page has no ${specifier}, which ${from} imports`);
}

describe('browser entry', () => {
  it('loads and sends requests without modules of Node', async () => {
    const asked: string[] = [];
    const page = new Page({
      ...WEB,
      fetch: (address: string) => {
        asked.push(address);
        return Promise.resolve(new Response('{"serverName":"here"}'));
      },
    });
    const client = await page.load(ENTRY);
    const { SinebarClient } = client as {
      SinebarClient: new (options: object) => { serviceInformation(): Promise<unknown>; events(): object };
    };
    const sinebar = new SinebarClient({ url: 'https://plant.test', credentials: { username: 'ü', password: 'p' } });
    expect(await sinebar.serviceInformation()).toEqual({ serverName: 'here' });
    expect(asked).toEqual(['https://plant.test/dataServiceRest/serviceInformation']);
    expect(sinebar.events()).toBeDefined();
    expect(page.files.some((file) => file.includes('file-store'))).toBe(false);
  });

  it('differs from the entry for Node, which does not load', async () => {
    await expect(new Page(WEB).load(join(import.meta.dirname, 'node.ts'))).rejects.toThrow('a page has no node:');
  });
});
