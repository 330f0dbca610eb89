/** Tiers by file name: `*.test.ts` needs no network, `*.int.test.ts` real servers, `tests/acceptance/` a running product. */
export default {
  rootDir: import.meta.dirname,
  roots: ['<rootDir>/apps', '<rootDir>/packages', '<rootDir>/services', '<rootDir>/tests', '<rootDir>/scripts'],
  testEnvironment: 'node',
  testMatch: ['**/src/**/*.test.{ts,tsx}', '**/scripts/**/*.test.mjs'],
  testPathIgnorePatterns: ['/node_modules/', '/dist/'],
  globalSetup: '<rootDir>/scripts/jest/global-setup.mjs',
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  moduleNameMapper: { '\\.css$': '<rootDir>/apps/console/jest/style-names.mjs' },
  transform: {
    '^.+\\.ts$': ['@swc/jest', swcOptions({ syntax: 'typescript' })],
    '^.+\\.tsx$': ['@swc/jest', swcOptions({ syntax: 'typescript', tsx: true })],
  },
  injectGlobals: false,
  testTimeout: 180_000,
};

function swcOptions(parser) {
  return {
    jsc: { target: 'es2023', parser, transform: { react: { runtime: 'automatic' } }, experimental: { keepImportAttributes: true } },
    module: { type: 'es6' },
    sourceMaps: 'inline',
  };
}
