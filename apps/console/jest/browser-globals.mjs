import { JSDOM, VirtualConsole } from 'jsdom';

/** Names that Node has too, and whose objects jsdom takes only from itself. */
const REPLACED = new Set([
  ...['Event', 'EventTarget', 'CloseEvent', 'CustomEvent', 'MessageEvent', 'ErrorEvent', 'AbortController', 'AbortSignal', 'DOMException'],
  ...['Blob', 'File', 'FormData', 'Storage', 'localStorage', 'sessionStorage', 'Navigator', 'navigator', 'WebSocket'],
]);
/** Names of the window itself. */
const WINDOWS = ['window', 'self', 'top', 'parent', 'frames'];
const ADDRESS = 'http://localhost/';

/** Tests run in the year of their data, whose dates are then written without it. */
const YEAR_OF_DATA = 2026;

/** Members by which tests give elements a size; jsdom lays nothing out. */
const SIZES = ['clientWidth', 'clientHeight', 'scrollTo'];

/** Values that tests have given to names of the window, until the end of their file. */
const changed = new Map();
let window;
let putSizesBack;

/** Gives this thread the globals of a browser; modules that ask for them when they are loaded come later. */
export function becomeBrowser() {
  const virtualConsole = new VirtualConsole();
  // An error of a listener fails the file of tests.
  virtualConsole.on('jsdomError', (error) => {
    if (error.detail instanceof Error) process.emit('uncaughtException', error.detail);
  });
  ({ window } = new JSDOM('<!DOCTYPE html>', { pretendToBeVisual: true, url: ADDRESS, virtualConsole }));
  addWhatIsMissing();
  putSizesBack = rememberSizes();
  const names = [...Object.getOwnPropertyNames(window), ...Object.getOwnPropertyNames(window.EventTarget.prototype)];
  for (const name of new Set(names)) {
    if (name in globalThis && !REPLACED.has(name)) continue;
    const value = window[name];
    const isFunction = typeof value === 'function' && /^[a-z]/.test(name);
    const bound = isFunction ? value.bind(window) : undefined;
    Object.defineProperty(globalThis, name, {
      configurable: true,
      get: () => (changed.has(name) ? changed.get(name) : (bound ?? window[name])),
      set: (given) => {
        changed.set(name, given);
      },
    });
  }
  for (const name of WINDOWS) Object.defineProperty(globalThis, name, { configurable: true, value: globalThis });
  globalThis.Date = dateOfYear(Date, YEAR_OF_DATA);
  globalThis.IS_REACT_ACT_ENVIRONMENT = true;
  // React would measure each element for the tools of browsers with them.
  delete console.createTask;
  delete console.timeStamp;
  leavePage();
}

/** Empties document, storages and history, and puts the names of the window back, for the next file of tests. */
export function leavePage() {
  changed.clear();
  putSizesBack();
  // Node takes no objects of jsdom.
  URL.createObjectURL = () => 'blob:test';
  URL.revokeObjectURL = () => undefined;
  const { documentElement, head, body } = window.document;
  head.replaceChildren();
  body.replaceChildren();
  for (const element of [documentElement, head, body]) for (const name of element.getAttributeNames()) element.removeAttribute(name);
  window.localStorage.clear();
  window.sessionStorage.clear();
  window.history.replaceState(null, '', ADDRESS);
}

function rememberSizes() {
  const sizes = [window.Element.prototype, window.HTMLElement.prototype].flatMap((owner) =>
    SIZES.map((name) => [owner, name, Object.getOwnPropertyDescriptor(owner, name)]),
  );
  return () => {
    for (const [owner, name, descriptor] of sizes) {
      delete owner[name];
      if (descriptor) Object.defineProperty(owner, name, descriptor);
    }
  };
}

/** Adds functions that browsers have and jsdom lacks. */
function addWhatIsMissing() {
  window.Blob.prototype.text ??= function text() {
    const reader = new window.FileReader();
    return new Promise((resolve, reject) => {
      reader.onload = () => resolve(reader.result);
      reader.onerror = () => reject(reader.error);
      reader.readAsText(this);
    });
  };
  window.scrollTo = () => undefined;
  // React Aria finds items of collections by selectors.
  window.CSS ??= { escape: (text) => String(text).replace(/[^\w-]/g, String.raw`\$&`), supports: () => false };
  window.ResizeObserver ??= class {
    observe() {}
    unobserve() {}
    disconnect() {}
  };
}

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
