/** Tools of tests that use a page in Chromium. */
export * from './accessibility.ts';
export * from './console-picture.ts';
export * from './fixed-times.ts';
export * from './page-watch.ts';
export * from './shown-content.ts';
