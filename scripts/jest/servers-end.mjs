export { stop as default } from './servers.mjs';
