import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { join } from 'node:path';
import { transformSync } from '@swc/core';
import { ROOT } from '../../bootstrap.mjs';

const PAGE = pathToFileURL(join(ROOT, 'apps/console/src/')).href;
const STYLE_NAMES = pathToFileURL(join(ROOT, 'apps/console/jest/style-names.mjs')).href;

/** Options of swc for sources of the page. */
const OPTIONS = {
  jsc: {
    target: 'es2023',
    parser: { syntax: 'typescript', tsx: true },
    transform: { react: { runtime: 'automatic' } },
    experimental: { keepImportAttributes: true },
  },
  module: { type: 'es6' },
  sourceMaps: 'inline',
};

/** Hooks of Node's loader for what Vite finds and compiles in the page: imports without ends, `.tsx`, and style sheets. */
export const pageModules = {
  resolve(specifier, context, next) {
    if (!specifier.startsWith('.') || !context.parentURL?.startsWith(PAGE)) return next(specifier, context);
    const url = new URL(specifier, context.parentURL).href;
    if (url.endsWith('.css')) return next(STYLE_NAMES, context);
    const end = ['.ts', '.tsx'].find((name) => existsSync(fileURLToPath(url + name))) ?? '';
    return next(url + end, context);
  },

  load(url, context, next) {
    const { pathname } = new URL(url);
    if (!pathname.endsWith('.tsx')) return next(url, context);
    const filename = fileURLToPath(url);
    const { code } = transformSync(readFileSync(filename, 'utf8'), { ...OPTIONS, filename });
    return { format: 'module', source: code, shortCircuit: true };
  },
};
