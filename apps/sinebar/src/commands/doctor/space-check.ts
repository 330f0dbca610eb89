import { statfs } from 'node:fs/promises';
import { sizeText } from '../../command-line/size-text.ts';
import { select } from './statements.ts';
import type { Check, Finding } from './finding.ts';

/** Free space below which one day of work may fill the disk. */
const LITTLE_BYTES = 2 ** 30;

/** Reports the size of the database and the free space of the data folder. */
export const spaceCheck: Check = {
  name: 'space',
  run: async ({ store, inspection, signal }) => {
    const [row] = await select<{ bytes: number }>(inspection, signal, 'SELECT pg_database_size(current_database())::float8 AS bytes');
    const findings: Finding[] = [{ check: 'database size', state: 'ok', detail: sizeText(row?.bytes ?? 0) }];
    if (store.dataDir === undefined) return findings;
    const { bavail, bsize } = await statfs(store.dataDir);
    const free = bavail * bsize;
    findings.push({
      check: 'disk space',
      state: free < LITTLE_BYTES ? 'problem' : 'ok',
      detail: `${sizeText(free)} free in ${store.dataDir}${free < LITTLE_BYTES ? ': make room before it is full' : ''}`,
    });
    return findings;
  },
};
