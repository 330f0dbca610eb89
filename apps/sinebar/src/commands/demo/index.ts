export { writeDemo } from './fill.ts';
export { demoPictures, type DemoPicture } from './pictures.ts';
export { CHARACTERISTICS, PARTS, PRODUCTS } from './plan.ts';
