/** Tools of tests that use a page in Chromium. */
export * from './accessibility.js';
export * from './console-picture.js';
export * from './page-watch.js';
export * from './shown-content.js';
