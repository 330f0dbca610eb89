import { statfs } from 'node:fs/promises';
import type { Spool } from '../spool/spool.ts';
import type { Metrics } from './metrics.ts';

/** Registers size and free space of the file systems that hold the folders, by the name of each disk. */
export function diskMetrics(metrics: Metrics, disks: Readonly<Record<string, string>>): void {
  const labels = ['disk'];
  const read = async (set: (value: number, labels: { disk: string }) => void, blocks: 'blocks' | 'bavail') => {
    for (const [disk, folder] of Object.entries(disks)) {
      const found = await statfs(folder).catch(() => undefined);
      if (found) set(found[blocks] * found.bsize, { disk });
    }
  };
  metrics.gauge({ name: 'sinebar_disk_size_bytes', help: 'Size of a file system with data of the product', labels }, (set) =>
    read(set, 'blocks'),
  );
  metrics.gauge(
    { name: 'sinebar_disk_free_bytes', help: 'Space of that file system that an ordinary user may still take', labels },
    (set) => read(set, 'bavail'),
  );
}

/** Registers what a process takes of its spool, what it may take, and the disk that holds the spool. */
export function spoolMetrics(metrics: Metrics, service: string, spool: Pick<Spool, 'usage' | 'quotaBytes' | 'folder'>): void {
  const labels = ['service'];
  metrics.gauge({ name: 'sinebar_spool_bytes', help: 'Bytes of uploads and imports of this process in its spool folder', labels }, (set) =>
    set(spool.usage.bytes, { service }),
  );
  metrics.gauge({ name: 'sinebar_spool_limit_bytes', help: 'Bytes that they may take; none without a limit', labels }, (set) => {
    if (Number.isFinite(spool.quotaBytes)) set(spool.quotaBytes, { service });
  });
  diskMetrics(metrics, { [`spool of ${service}`]: spool.folder });
}
