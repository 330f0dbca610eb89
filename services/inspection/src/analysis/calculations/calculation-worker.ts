import { calculate } from './calculate.ts';

/** Entry of the worker threads of `Calculator`. */
export default calculate;
