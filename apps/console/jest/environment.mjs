import { TestEnvironment } from 'jest-environment-jsdom';

/** Names of Node's globals that browsers have and jsdom lacks. */
const MISSING = ['fetch', 'Request', 'Response', 'Headers', 'ReadableStream', 'TextEncoder', 'TextDecoder', 'structuredClone'];

/** Tests run in the year of their data, whose dates are then written without it. */
const YEAR_OF_DATA = 2026;

/** Moves the present time by whole days into a year. */
function dateOfYear(Real, year) {
  const offsetMs = Real.UTC(new Real().getUTCFullYear(), 0, 1) - Real.UTC(year, 0, 1);
  if (offsetMs === 0) return Real;
  return class extends Real {
    constructor(...parts) {
      super(...(parts.length === 0 ? [Real.now() - offsetMs] : parts));
    }
    static now = () => Real.now() - offsetMs;
  };
}

/** jsdom with the globals that the client uses. */
export default class ConsoleEnvironment extends TestEnvironment {
  async setup() {
    await super.setup();
    this.global.Date = dateOfYear(this.global.Date, YEAR_OF_DATA);
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
