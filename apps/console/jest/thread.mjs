import module from 'node:module';
import { parentPort } from 'node:worker_threads';
import { becomeBrowser, leavePage } from './browser-globals.mjs';

if (process.env.NODE_COMPILE_CACHE) module.enableCompileCache(process.env.NODE_COMPILE_CACHE);
// Errors name the lines of the sources; swc moves them.
module.setSourceMapsSupport(true);
becomeBrowser();
const { default: runFile } = await import('../../../scripts/jest/native/runner.mjs');

parentPort.on('message', async ({ globalConfig, config, testPath }) => {
  try {
    const result = await runFile(globalConfig, config, undefined, undefined, testPath);
    // Details hold what was compared, which may be elements; the messages say the same.
    const withoutDetails = (key, value) => (key === 'failureDetails' ? [] : value);
    parentPort.postMessage({ result: JSON.parse(JSON.stringify(result, withoutDetails)) });
  } catch (error) {
    parentPort.postMessage({ error: new Error(error.message, { cause: error.stack }) });
  } finally {
    leavePage();
  }
});
