export { writeDemo } from './fill.ts';
export { demoPictures } from './pictures.ts';
export { CHARACTERISTICS, PARTS } from './plan.ts';
