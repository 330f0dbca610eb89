import { flushCompileCache, registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import { createEmptyTestResult } from '@jest/test-result';
import { addEventHandler, getState, resetState, run } from 'jest-circus';
import { formatExecError, formatResultsErrors } from 'jest-message-util';
import { expect, jest } from './globals.mjs';
import { pageModules } from './page-modules.mjs';

// `@jest/globals` refuses to be loaded outside of jest's own module loader.
registerHooks({
  resolve: (specifier, context, next) =>
    next(specifier === '@jest/globals' ? new URL('globals.mjs', import.meta.url).href : specifier, context),
});
registerHooks(pageModules);

/** Names of the blocks around a test begin with one that jest adds. */
const ROOT_BLOCKS = 1;
const STATUS = { skip: 'pending', todo: 'todo' };

let runs = 0;

addEventHandler(({ name, test }) => {
  if (name === 'test_done') test.errors.push(...expect.extractExpectedAssertionsErrors().map(({ error }) => error));
});

/**
 * Runs a file of tests that Node loads itself, so that the modules below it are loaded once for all files of a worker. Jest's own loader
 * compiles them again for each file.
 * What a file changes in the process ends with it: variables, exit code, mocks and timers.
 */
export default async function runFile(globalConfig, config, _environment, _runtime, testPath) {
  const { exitCode } = process;
  const env = { ...process.env };
  const unowned = new Map();
  const onError = (error) => unowned.set(Symbol('error'), error);
  const onRejection = (error, promise) => unowned.set(promise, error);
  const onHandled = (promise) => unowned.delete(promise);
  resetState();
  process.on('uncaughtException', onError).on('unhandledRejection', onRejection).on('rejectionHandled', onHandled);
  try {
    Object.assign(getState(), {
      testTimeout: globalConfig.testTimeout ?? getState().testTimeout,
      maxConcurrency: globalConfig.maxConcurrency,
      testNamePattern: globalConfig.testNamePattern ? new RegExp(globalConfig.testNamePattern, 'i') : null,
    });
    expect.setState({ testPath, expand: globalConfig.expand });
    for (const file of config.setupFilesAfterEnv) await (await import(pathToFileURL(file).href)).default(testPath);
    runs += 1;
    await import(`${pathToFileURL(testPath).href}?run=${runs}`);
    const { testResults, unhandledErrors } = await run();
    return toTestResult(testResults, [...unhandledErrors, ...unowned.values()], { globalConfig, config, testPath });
  } finally {
    // Kept for the next run, also where jest kills the worker at its end.
    flushCompileCache();
    jest.restoreAllMocks();
    jest.useRealTimers();
    process.off('uncaughtException', onError).off('unhandledRejection', onRejection).off('rejectionHandled', onHandled);
    process.exitCode = exitCode;
    for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
    Object.assign(process.env, env);
  }
}

function toTestResult(testResults, errors, { globalConfig, config, testPath }) {
  const tests = testResults.map(toAssertionResult);
  const count = (wanted) => tests.filter(({ status }) => status === wanted).length;
  const failures = [
    formatResultsErrors(tests, config, globalConfig, testPath),
    ...errors.map((error) => formatExecError(error, config, globalConfig)),
  ].filter(Boolean);
  return {
    ...createEmptyTestResult(),
    displayName: config.displayName,
    failureMessage: failures.length === 0 ? null : failures.join('\n\n'),
    numFailingTests: count('failed'),
    numPassingTests: count('passed'),
    numPendingTests: count('pending'),
    numTodoTests: count('todo'),
    testExecError: errors.length === 0 ? undefined : { message: '', stack: errors.join('\n') },
    testFilePath: testPath,
    testResults: tests,
  };
}

function toAssertionResult({ testPath, status, errors, errorsDetailed, ...result }) {
  const names = testPath.slice(ROOT_BLOCKS);
  return {
    ...result,
    ancestorTitles: names.slice(0, -1),
    title: names.at(-1),
    fullName: names.join(' '),
    status: STATUS[status] ?? (errors.length > 0 ? 'failed' : 'passed'),
    failureMessages: errors,
    failureDetails: errorsDetailed,
    retryReasons: [],
  };
}
