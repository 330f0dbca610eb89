import js from '@eslint/js';
import tseslint from 'typescript-eslint';

/** What each folder may import from the workspace (the table in docs/architecture.md). */
const MAY_IMPORT = {
  'packages/contracts': [],
  'packages/query-language': [],
  'packages/access-control': ['contracts', 'query-language'],
  'packages/service-kit': ['contracts', 'access-control', 'query-language'],
  'packages/authentication': ['contracts', 'query-language', 'access-control', 'service-kit'],
  'packages/database': ['contracts'],
  'packages/message-bus': ['contracts'],
  'packages/client': ['contracts'],
  'packages/progress': [],
  'services/inspection': ['contracts', 'query-language', 'access-control', 'authentication', 'service-kit', 'database', 'message-bus'],
  'services/raw-data': ['contracts', 'query-language', 'access-control', 'authentication', 'service-kit', 'database', 'message-bus'],
  'services/events': ['contracts', 'query-language', 'access-control', 'authentication', 'service-kit', 'message-bus'],
  'services/maintenance': [
    'contracts',
    'client',
    'progress',
    'service-kit',
    'database',
    'message-bus',
    'inspection',
    'raw-data',
    'standalone',
  ],
  acceptance: ['contracts', 'client'],
  demo: ['contracts', 'client', 'progress'],
  bench: [
    'contracts',
    'client',
    'access-control',
    'authentication',
    'service-kit',
    'database',
    'message-bus',
    'inspection',
    'raw-data',
    'events',
  ],
};

const importRules = Object.entries(MAY_IMPORT).map(([folder, allowed]) => ({
  files: [`${folder}/src/**/*.ts`],
  ignores: ['**/*.test.ts', '**/*.test-case.ts'],
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

export default tseslint.config(
  { ignores: ['**/dist/**', '**/node_modules/**', '.cache/**', 'coverage/**', 'sinebar-data/**'] },
  js.configs.recommended,
  {
    files: ['**/*.ts'],
    extends: [...tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { project: './tsconfig.tests.json', tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      'max-lines': ['error', { max: 450, skipBlankLines: true, skipComments: true }],
      'no-console': 'error',
    },
  },
  ...importRules,
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
    files: [
      'scripts/**',
      'infra/**',
      'bench/**',
      'demo/**',
      'services/*/src/main.ts',
      'services/*/src/check-config.ts',
      'services/*/src/sweep.ts',
    ],
    rules: { 'no-console': 'off' },
  },
);
