export { isDiskFull, storageFull } from './disk-full.ts';
export { openSpool } from './spool-folder.ts';
export { spoolUpkeep } from './spool-upkeep.ts';
export { Spool, tooLarge, type SpooledFile } from './spool.ts';
export { StreamBatches } from './stream-batches.ts';
