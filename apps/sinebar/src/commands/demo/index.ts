export { FACTORY, FACTORY_PARTS, LONG_PART, WIDE_PART } from './factory/index.ts';
export { writeDemo } from './fill.ts';
export { demoPictures } from './pictures.ts';
export { picturedPages } from './pictured-pages.ts';
export { CHARACTERISTICS, PARTS } from './plan.ts';
