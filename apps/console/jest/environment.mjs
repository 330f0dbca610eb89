import { TestEnvironment } from 'jest-environment-jsdom';

/** Names of Node's globals that browsers have and jsdom lacks. */
const MISSING = ['fetch', 'Request', 'Response', 'Headers', 'ReadableStream', 'TextEncoder', 'TextDecoder', 'structuredClone'];

/** jsdom with the globals that the client uses. */
export default class ConsoleEnvironment extends TestEnvironment {
  async setup() {
    await super.setup();
    for (const name of MISSING) this.global[name] ??= globalThis[name];
    const { Blob, FileReader } = this.global;
    // oxlint-disable-next-line typescript/unbound-method -- it is only compared with undefined
    Blob.prototype.text ??= function text() {
      const reader = new FileReader();
      return new Promise((resolve, reject) => {
        reader.onload = () => resolve(reader.result);
        reader.onerror = () => reject(reader.error);
        reader.readAsText(this);
      });
    };
    this.global.scrollTo = () => undefined;
    // React Aria finds items of collections by selectors.
    this.global.CSS ??= { escape: (text) => String(text).replace(/[^\w-]/g, String.raw`\$&`), supports: () => false };
    this.global.IS_REACT_ACT_ENVIRONMENT = true;
  }
}
