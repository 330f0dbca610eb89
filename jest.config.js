/** Tiers by file name: `*.test.ts` needs no network, `*.int.test.ts` real servers, `tests/acceptance/` a running product. */
export default {
  rootDir: import.meta.dirname,
  roots: ['<rootDir>/packages', '<rootDir>/services', '<rootDir>/tools', '<rootDir>/tests', '<rootDir>/scripts'],
  testEnvironment: 'node',
  testMatch: ['**/src/**/*.test.ts', '**/scripts/**/*.test.mjs'],
  testPathIgnorePatterns: ['/node_modules/', '/dist/'],
  modulePathIgnorePatterns: ['/dist/.*package.json'],
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      { jsc: { target: 'es2023', parser: { syntax: 'typescript' } }, module: { type: 'es6' }, sourceMaps: 'inline' },
    ],
  },
  injectGlobals: false,
  testTimeout: 60_000,
};
