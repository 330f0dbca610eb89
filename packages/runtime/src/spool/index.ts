export { isDiskFull, storageFull } from './disk-full.js';
export { openSpool, type OpenedSpool } from './spool-folder.js';
export { spoolUpkeep } from './spool-upkeep.js';
export { Spool, tooLarge, type SpooledFile } from './spool.js';
export { StreamBatches } from './stream-batches.js';
