import { readdirSync } from 'node:fs';
import { dirname } from 'node:path';
import js from '@eslint/js';
import importX from 'eslint-plugin-import-x';
import reactHooks from 'eslint-plugin-react-hooks';
import tseslint from 'typescript-eslint';
import { oneWayImports } from './scripts/one-way-imports.mjs';

const TEST_FILES = ['**/*.test.{ts,tsx}', '**/*.fixture.{ts,tsx}'];

const ALL_BELOW_SERVICES = ['contracts', 'query-language', 'access-control', 'authentication', 'concurrency', 'http', 'runtime'];

/** What each folder may import from the workspace (the table in docs/architecture.md). */
const MAY_IMPORT = {
  'packages/contracts': [],
  'packages/query-language': [],
  'packages/concurrency': [],
  'packages/statistics': [],
  'packages/exchange': [],
  'packages/access-control': ['contracts', 'query-language'],
  'packages/http': ['contracts', 'query-language', 'access-control', 'concurrency'],
  'packages/runtime': ['contracts', 'access-control', 'concurrency', 'http'],
  'packages/authentication': ['contracts', 'query-language', 'access-control', 'concurrency', 'http', 'runtime'],
  'packages/database': ['contracts', 'access-control', 'concurrency'],
  'packages/message-bus': ['contracts', 'concurrency'],
  'packages/client': ['contracts'],
  'apps/console': ['client', 'query-language'],
  'packages/local-servers': ['contracts', 'concurrency', 'runtime'],
  'packages/testing': ['contracts', 'query-language', 'message-bus'],
  'services/inspection': [...ALL_BELOW_SERVICES, 'database', 'message-bus', 'statistics', 'exchange'],
  'services/raw-data': [...ALL_BELOW_SERVICES, 'database', 'message-bus'],
  'services/events': [...ALL_BELOW_SERVICES, 'message-bus'],
  'apps/sinebar': [
    ...ALL_BELOW_SERVICES,
    'client',
    'database',
    'message-bus',
    'local-servers',
    'exchange',
    'inspection',
    'raw-data',
    'events',
  ],
  'tests/distributed': ['contracts', 'concurrency', 'local-servers', 'events', 'program'],
  'tests/acceptance': ['contracts', 'client', 'local-servers', 'testing'],
  'tests/engines': ['testing'],
  'tests/bench': [...ALL_BELOW_SERVICES, 'client', 'database', 'message-bus', 'inspection', 'raw-data', 'events', 'testing'],
};

const importRules = Object.entries(MAY_IMPORT).map(([folder, allowed]) => ({
  files: [`${folder}/src/**/*.{ts,tsx}`],
  ignores: TEST_FILES,
  rules: {
    'no-restricted-imports': [
      'error',
      {
        patterns: [
          {
            regex: `^@sinebar/(?!(${[...allowed, 'nothing'].join('|')})(?:/|$))`,
            message: `${folder} may import from the workspace only: ${allowed.join(', ') || 'nothing'}`,
          },
        ],
      },
    ],
  },
}));

/** Folders of the inspection service in their order: each may import those before it. */
const INSPECTION_ORDER = ['migrations', 'shared', 'configuration', 'plan', 'measurements', 'analysis', 'exchange', 'server'];
const INSPECTION = 'services/inspection/src';

/** Folders of the console in their order: each may import those before it. */
const CONSOLE_ORDER = ['design', 'server', 'charts', 'quality', 'pages', 'shell'];
const CONSOLE = 'apps/console/src';

const folderRules = {
  files: ['{apps,packages,services,tests}/*/src/**/*.{ts,tsx}'],
  ignores: TEST_FILES,
  plugins: { 'import-x': importX, imports: { rules: { 'one-way': oneWayImports } } },
  settings: {
    'import-x/resolver-next': [importX.createNodeResolver({ extensions: ['.ts', '.tsx', '.js'] })],
  },
  rules: {
    'imports/one-way': 'error',
    'import-x/no-restricted-paths': [
      'error',
      {
        zones: [
          ...INSPECTION_ORDER.slice(0, -1).map((folder, i) => ({
            target: `./${INSPECTION}/${folder}`,
            from: [...INSPECTION_ORDER.slice(i + 1).map((later) => `./${INSPECTION}/${later}`), `./${INSPECTION}/compose.ts`],
            message: `Folders of the inspection service import one way: ${INSPECTION_ORDER.join(' < ')} < compose.`,
          })),
          ...CONSOLE_ORDER.map((folder, i) => ({
            target: `./${CONSOLE}/${folder}`,
            from: [
              ...CONSOLE_ORDER.slice(i + 1).map((later) => `./${CONSOLE}/${later}`),
              `./${CONSOLE}/routes.tsx`,
              `./${CONSOLE}/main.tsx`,
              `./${CONSOLE}/testing`,
            ],
            message: `Folders of the console import one way: ${CONSOLE_ORDER.join(' < ')} < routes < main.`,
          })),
          {
            target: `./${INSPECTION}/exchange`,
            from: `./${INSPECTION}/analysis`,
            message: 'Analysis and exchange of the inspection service do not import each other.',
          },
          {
            target: './services/raw-data/src/blobs',
            from: './services/raw-data/src',
            except: ['./blobs'],
            message: 'Blobs import no other feature of raw data.',
          },
        ],
      },
    ],
  },
};

/** Most source files of a folder; tests and their helpers are not counted. */
const MAX_FILES_IN_FOLDER = 15;
const isSource = (name) => /\.(ts|tsx|mjs|js)$/.test(name) && !/\.(test|fixture)\.\w+$/.test(name);

/**
 * Reports a file whose folder holds too many. ESLint and its plugins have no rule about folders.
 * The limit is an option, because the cache of ESLint forgets its results when an option changes, but not when this rule does.
 */
const folderSize = {
  meta: { schema: [{ type: 'integer' }] },
  create: (context) => ({
    Program(node) {
      const [limit] = context.options;
      const count = readdirSync(dirname(context.filename)).filter(isSource).length;
      if (count <= limit || !isSource(context.filename)) return;
      context.report({ node, message: `The folder holds ${count} source files; above ${limit}, divide it by subject.` });
    },
  }),
};

const folderSizeRules = {
  files: ['{apps,packages,services,tests}/*/src/**', 'scripts/**'],
  // A released migration is never changed or moved.
  ignores: ['**/migrations/*'],
  plugins: { sinebar: { rules: { 'folder-size': folderSize } } },
  rules: { 'sinebar/folder-size': ['error', MAX_FILES_IN_FOLDER] },
};

/** Rules that need no types; those that do are in .oxlintrc.json. */
export default tseslint.config(
  { ignores: ['**/dist/**', '**/node_modules/**', '.cache/**', 'coverage/**', 'sinebar-data/**'] },
  js.configs.recommended,
  {
    files: ['**/*.{ts,tsx}'],
    extends: [...tseslint.configs.recommended],
    rules: {
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      // Prettier breaks code; it leaves comments as they are.
      'max-len': ['error', { code: 1000, comments: 140, ignoreUrls: true }],
      'max-lines': ['error', { max: 450, skipBlankLines: true, skipComments: true }],
      'no-console': 'error',
      'no-restricted-syntax': ['error', { selector: 'PrivateIdentifier', message: 'Declare the member private, as all other classes do.' }],
    },
  },
  {
    files: ['apps/console/**/*.{ts,tsx}'],
    extends: [reactHooks.configs.flat['recommended-latest']],
    rules: {
      // It warns of TanStack Virtual, whose functions the React compiler cannot keep; this package is built without that compiler.
      'react-hooks/incompatible-library': 'off',
    },
  },
  ...importRules,
  folderRules,
  folderSizeRules,
  {
    files: ['**/*.mjs', '**/*.js'],
    languageOptions: {
      globals: Object.fromEntries(
        [
          'process',
          'console',
          'URL',
          'Buffer',
          'setTimeout',
          'clearTimeout',
          'setInterval',
          'clearInterval',
          'fetch',
          'AbortSignal',
          'AbortController',
        ].map((name) => [name, 'readonly']),
      ),
    },
  },
  {
    files: ['scripts/**', 'packages/local-servers/src/commands/**', 'apps/**', 'tests/**'],
    rules: { 'no-console': 'off' },
  },
);
