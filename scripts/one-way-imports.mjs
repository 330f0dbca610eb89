import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import ts from 'typescript';

const IS_TEST = /\.(test|fixture)\.tsx?$/;
const ENDINGS = ['', '.ts', '.tsx', '/index.ts', '/index.tsx'];

/** Graphs by the folder `src` of their package, for the files of one run. */
const graphs = new Map();

/**
 * ESLint rule: the entries of a folder, its files and folders, import one way, also by imports of types. It finds folders that import each
 * other and cycles of files. Tests are exempt.
 */
export const oneWayImports = {
  create: ({ filename, report }) => {
    const root = rootOf(filename);
    if (root === undefined || IS_TEST.test(filename)) return {};
    if (!graphs.has(root)) graphs.set(root, readGraph(root));
    const graph = graphs.get(root);
    const check = ({ source }) => {
      if (source?.type !== 'Literal' || !String(source.value).startsWith('.')) return;
      const target = targetOf(filename, source.value);
      const way = target && wayBack(graph, root, relative(root, filename), relative(root, target));
      if (way) report({ node: source, message: `Entries of ${way.folder || 'src'} import each other: ${way.edges.join(', ')}.` });
    };
    return {
      ImportDeclaration: check,
      ExportNamedDeclaration: check,
      ExportAllDeclaration: check,
      ImportExpression: check,
      TSImportType: ({ argument }) => check({ source: argument.literal }),
    };
  },
};

/** Returns the folder `src` of the package of a file. */
function rootOf(filename) {
  const parts = filename.split(sep);
  const index = parts.indexOf('src');
  return index < 0 ? undefined : parts.slice(0, index + 1).join(sep);
}

function targetOf(filename, specifier) {
  const path = resolve(dirname(filename), specifier);
  return ENDINGS.map((ending) => path + ending).find((each) => /\.tsx?$/.test(each) && existsSync(each));
}

/** Reads the relative imports of all files below a folder; paths are relative to it. */
function readGraph(root) {
  const files = globSync('**/*.{ts,tsx}', { cwd: root }).filter((file) => !IS_TEST.test(file));
  return files.flatMap((from) => {
    const { importedFiles } = ts.preProcessFile(readFileSync(join(root, from), 'utf8'), true, true);
    return importedFiles.flatMap(({ fileName }) => {
      const target = fileName.startsWith('.') ? targetOf(join(root, from), fileName) : undefined;
      return target === undefined || IS_TEST.test(target) ? [] : [{ from, to: relative(root, target) }];
    });
  });
}

/**
 * Finds the shortest way from the imported to the importing entry of the innermost folder that holds both.
 * @returns the folder and the imports of the way, first the given one; `undefined` when there is none
 */
function wayBack(graph, root, from, to) {
  const [start, end] = [from.split(sep), to.split(sep)];
  let depth = 0;
  while (depth < Math.min(start.length, end.length) - 1 && start[depth] === end[depth]) depth += 1;
  const folder = start.slice(0, depth).join(sep);
  const inside = depth === 0 ? graph : graph.filter((edge) => [edge.from, edge.to].every((file) => file.startsWith(folder + sep)));
  const entryOf = (file) => file.split(sep)[depth];
  const ways = [{ entry: entryOf(to), edges: [`${from} → ${to}`] }];
  const seen = new Set([entryOf(to)]);
  for (const { entry, edges } of ways) {
    if (entry === entryOf(from)) return { folder: relative(dirname(dirname(dirname(root))), join(root, folder)), edges };
    for (const edge of inside) {
      const next = entryOf(edge.to);
      if (entryOf(edge.from) !== entry || seen.has(next)) continue;
      seen.add(next);
      ways.push({ entry: next, edges: [...edges, `${edge.from} → ${edge.to}`] });
    }
  }
  return undefined;
}
