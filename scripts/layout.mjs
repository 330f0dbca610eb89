import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path/posix';
import { ROOT } from './bootstrap.mjs';

/** Checks the layout of the sources: what folders import from each other, how many files they hold, and comments. oxlint has no such rules. */

const ALL_BELOW_SERVICES = ['contracts', 'query-language', 'access-control', 'authentication', 'concurrency', 'http', 'runtime'];

/** What each package may import from the workspace (the table in docs/architecture.md). Others may import everything. */
const MAY_IMPORT = {
  'packages/contracts': [],
  'packages/query-language': [],
  'packages/concurrency': [],
  'packages/statistics': [],
  'packages/exchange': [],
  'packages/charts': ['contracts'],
  'packages/report': ['charts', 'contracts', 'exchange'],
  'packages/access-control': ['contracts', 'query-language'],
  'packages/http': ['contracts', 'query-language', 'access-control', 'concurrency'],
  'packages/runtime': ['contracts', 'access-control', 'concurrency', 'http'],
  'packages/authentication': ['contracts', 'query-language', 'access-control', 'concurrency', 'http', 'runtime'],
  'packages/database': ['contracts', 'access-control', 'concurrency'],
  'packages/message-bus': ['contracts', 'concurrency'],
  'packages/client': ['contracts'],
  'apps/console': ['charts', 'client', 'concurrency', 'query-language'],
  'packages/local-servers': ['contracts', 'concurrency', 'runtime'],
  'packages/testing': ['contracts', 'query-language', 'message-bus'],
  'services/inspection': [...ALL_BELOW_SERVICES, 'charts', 'database', 'message-bus', 'statistics', 'exchange', 'report'],
  'services/raw-data': [...ALL_BELOW_SERVICES, 'database', 'message-bus'],
  'services/events': [...ALL_BELOW_SERVICES, 'message-bus'],
  'apps/sinebar': [
    ...ALL_BELOW_SERVICES,
    'client',
    'database',
    'message-bus',
    'local-servers',
    'exchange',
    'report',
    'inspection',
    'raw-data',
    'events',
  ],
  'tests/distributed': ['contracts', 'concurrency', 'local-servers', 'events', 'program'],
  'tests/acceptance': ['contracts', 'client', 'local-servers', 'testing'],
  'tests/engines': ['local-servers', 'testing'],
  'tests/bench': [...ALL_BELOW_SERVICES, 'client', 'database', 'message-bus', 'inspection', 'raw-data', 'events', 'report', 'testing'],
};

/** Entries of folders in their order: each may import those before it. */
const ORDERS = {
  'services/inspection/src': [
    'migrations',
    'shared',
    'configuration',
    'plan',
    'measurements',
    'evaluation',
    'notes',
    'views',
    'alarms',
    'analysis',
    'exchange',
    'reports',
    'server',
    'compose.ts',
  ],
  'apps/console/src': ['design', 'server', 'charts', 'quality', 'pages', 'shell', 'routes.tsx', 'main.tsx', 'testing'],
};

/** Folders that a folder may not import, except itself. */
const FORBIDDEN = [
  ['services/inspection/src/exchange', 'services/inspection/src/analysis'],
  ['services/raw-data/src/blobs', 'services/raw-data/src'],
];

const MAX_FILES_IN_FOLDER = 15;
const MAX_COMMENT_COLUMNS = 140;

const SOURCES = '{apps,packages,services,tests}/*/src/**/*.{ts,tsx}';
const IS_TEST = /\.(test|fixture)\.\w+$/;
const ENDINGS = ['', '.ts', '.tsx', '/index.ts', '/index.tsx'];

/** @param root folder of the workspace. @returns sentences about what is wrong, each with its file or folder */
export function layoutProblems(root) {
  const files = globSync(SOURCES, { cwd: root }).map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }));
  const sources = files.filter(({ file }) => !IS_TEST.test(file));
  const imports = sources.flatMap(({ file, text }) => importsOf(text).map((specifier) => ({ file, specifier })));
  const edges = imports.flatMap(({ file, specifier }) => {
    const target = specifier.startsWith('.') ? targetOf(root, file, specifier) : undefined;
    return target === undefined || IS_TEST.test(target) ? [] : [{ from: file, to: target }];
  });
  return [
    ...imports.flatMap(packageProblems),
    ...edges.flatMap(folderProblems),
    ...circleProblems(edges.map(withFolder)),
    ...sizeProblems(globSync(['{apps,packages,services,tests}/*/src/**/*.{ts,tsx,mjs,js}', 'scripts/**/*.mjs'], { cwd: root })),
    ...files.flatMap(textProblems),
    ...statementProblems(sources),
  ];
}

/** Returns what a module imports, also by types and when it runs. */
function importsOf(text) {
  return [...text.matchAll(/\b(?:from|import)\s*\(?\s*(['"])([^'"\n]+)\1/g)].map(([, , specifier]) => specifier);
}

function targetOf(root, file, specifier) {
  const path = join(dirname(file), specifier);
  return ENDINGS.map((ending) => path + ending).find((each) => /\.tsx?$/.test(each) && existsSync(join(root, each)));
}

const packageOf = (file) => file.split('/').slice(0, 2).join('/');
const isBelow = (file, folder) => file.startsWith(`${folder}/`);

function packageProblems({ file, specifier }) {
  const allowed = MAY_IMPORT[packageOf(file)];
  const [, name] = /^@sinebar\/([^/]+)/.exec(specifier) ?? [];
  if (name === undefined || allowed === undefined || allowed.includes(name)) return [];
  return [`${file} imports ${specifier}. ${packageOf(file)} may import from the workspace only: ${allowed.join(', ') || 'nothing'}.`];
}

function folderProblems({ from, to }) {
  const forbidden = FORBIDDEN.some(([folder, other]) => isBelow(from, folder) && isBelow(to, other) && !isBelow(to, folder));
  const wrongOrder = Object.entries(ORDERS).some(([folder, order]) => {
    if (!isBelow(from, folder) || !isBelow(to, folder)) return false;
    const [fromIndex, toIndex] = [from, to].map((file) => order.indexOf(file.slice(folder.length + 1).split('/')[0]));
    return fromIndex >= 0 && toIndex > fromIndex;
  });
  return forbidden || wrongOrder ? [`${from} imports ${to}, which it may not: see the order of folders in scripts/layout.mjs.`] : [];
}

/**
 * Finds circles: the entries of a folder, its files and folders, import one way. Two folders that import each other by different files are
 * a circle too.
 */
function circleProblems(edges) {
  return Object.entries(Object.groupBy(edges, ({ folder }) => folder)).flatMap(([folder, inside]) =>
    inside.flatMap(({ from, to, fromEntry, toEntry }) => {
      const circle = wayBetween(inside, toEntry, fromEntry)?.map((edge) => `${edge.from} → ${edge.to}`);
      return circle ? [`${from}: entries of ${folder} import each other: ${[`${from} → ${to}`, ...circle].join(', ')}.`] : [];
    }),
  );
}

/** Adds to an import the innermost folder that holds both files, and their entries in it. */
function withFolder({ from, to }) {
  const [start, end] = [from.split('/'), to.split('/')];
  let depth = 0;
  while (depth < Math.min(start.length, end.length) - 1 && start[depth] === end[depth]) depth += 1;
  return { from, to, folder: start.slice(0, depth).join('/'), fromEntry: start[depth], toEntry: end[depth] };
}

/** Returns the imports of the shortest way between two entries; `undefined` when there is none. */
function wayBetween(edges, first, last) {
  const ways = [{ entry: first, way: [] }];
  const seen = new Set([first]);
  for (const { entry, way } of ways) {
    if (entry === last) return way;
    for (const edge of edges) {
      if (edge.fromEntry !== entry || seen.has(edge.toEntry)) continue;
      seen.add(edge.toEntry);
      ways.push({ entry: edge.toEntry, way: [...way, edge] });
    }
  }
  return undefined;
}

/** A released migration is never changed or moved, so their folders may grow. */
function sizeProblems(files) {
  const sources = files.filter((file) => !IS_TEST.test(file) && basename(dirname(file)) !== 'migrations');
  return Object.entries(Object.groupBy(sources, (file) => dirname(file)))
    .filter(([, { length }]) => length > MAX_FILES_IN_FOLDER)
    .map(([folder, { length }]) => `${folder} holds ${length} source files; above ${MAX_FILES_IN_FOLDER}, divide it by subject.`);
}

/** A connection prepares one statement for each name: a second text with the name of another would run as that one, or fail. */
function statementProblems(sources) {
  const named = sources
    .filter(({ file }) => /^(services\/(inspection|raw-data)|packages\/database)\/src\//.test(file))
    .flatMap(({ file, text }) => [...text.matchAll(/\{ name: '([a-z\d-]+)'(?: \}|, text:)/g)].map(([, name]) => ({ file, name })));
  return Object.entries(Object.groupBy(named, ({ file, name }) => `${packageOf(file)} ${name}`))
    .filter(([, { length }]) => length > 1)
    .map(([, uses]) => `${uses.map(({ file }) => file).join(' and ')} prepare statements with the same name ${uses[0].name}.`);
}

/** Prettier breaks code; it leaves comments as they are. */
function textProblems({ file, text }) {
  return text
    .split('\n')
    .flatMap((line, i) => [
      ...(/^\s*(\/[/*]|\* )/.test(line) && line.length > MAX_COMMENT_COLUMNS && !line.includes('://')
        ? [`${file}:${i + 1}: a comment has at most ${MAX_COMMENT_COLUMNS} columns.`]
        : []),
      ...(/^\s+(?:(?:static|readonly|async|get|set) )*#\w+\s*[=:;(]|\bthis\.#\w/.test(line)
        ? [`${file}:${i + 1}: declare the member private, as all other classes do.`]
        : []),
    ]);
}

if (process.argv[1] === import.meta.filename) {
  const problems = layoutProblems(ROOT);
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
}
