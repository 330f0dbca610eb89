import { calculate } from './calculate.js';

/** Entry of the worker threads of `Calculator`. */
export default calculate;
