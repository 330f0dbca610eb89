export { writeDemo } from './fill.js';
export { demoPictures, type DemoPicture } from './pictures.js';
export { CHARACTERISTICS, PARTS, PRODUCTS } from './plan.js';
