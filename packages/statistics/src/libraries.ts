import { createRequire } from 'node:module';
import type * as module from './stdlib.ts';

type Module = typeof module;

const load = createRequire(import.meta.url);
let loaded: Module['stdlib'] | undefined;

/** Returns the functions of `@stdlib`; they have more than 300 files, and most processes that import this package calculate nothing. */
export function libraries(): Module['stdlib'] {
  return (loaded ??= (load(import.meta.url.endsWith('.ts') ? './stdlib.ts' : './stdlib.js') as Module).stdlib);
}
