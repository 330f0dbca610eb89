import type { Measurement, SinebarClient } from '@sinebar/client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { queryKeys } from '../../server/queries/keys';
import { useServer } from '../../server/server';
import type { ChangeEntry } from './event-log';
import { NOTHING_KNOWN, wantedNames, type KnownNames, type WantedNames } from './event-names';

/** Most uuids of one request: an address holds some thousand characters. */
const BATCH = 100;

/** Reads names for the events in view; what was known before stays until the new names are there. */
export function useKnownNames(events: readonly ChangeEntry[]): KnownNames {
  const server = useServer();
  const [names] = useState(() => new NameStore());
  const wanted = useMemo(() => wantedNames(events), [events]);
  const { data } = useQuery({
    queryKey: queryKeys.live('names', wanted),
    queryFn: ({ signal }) => names.read(server, wanted, signal),
    enabled: events.length > 0,
    placeholderData: keepPreviousData,
  });
  return data ?? NOTHING_KNOWN;
}

/** Names that were read, so that a new event asks only for what it brings. */
class NameStore {
  private readonly paths = new Map<string, string>();
  private readonly measurements = new Map<string, Measurement>();

  async read(server: SinebarClient, wanted: WantedNames, signal: AbortSignal): Promise<KnownNames> {
    const missing = (uuids: readonly string[]) => uuids.filter((uuid) => !this.paths.has(uuid)).slice(0, BATCH);
    // A measurement may have changed since; the few in view are read again.
    const measurementUuids = wanted.measurements.slice(0, BATCH);
    const [partUuids, charUuids] = [missing(wanted.parts), missing(wanted.characteristics)];
    const [parts, characteristics, found] = await Promise.all([
      partUuids.length === 0 ? [] : server.parts.list({ partUuids, requestedPartAttributes: 'None', signal }),
      charUuids.length === 0 ? [] : server.characteristics.list({ charUuids, requestedCharacteristicAttributes: 'None', signal }),
      measurementUuids.length === 0
        ? []
        : server.measurements.search({ measurementUuids, statistics: 'Simple', aggregation: 'All', signal }),
    ]);
    for (const { uuid, path } of [...parts, ...characteristics]) this.paths.set(uuid, path);
    for (const measurement of found) this.measurements.set(measurement.uuid, measurement);
    return { paths: new Map(this.paths), measurements: new Map(this.measurements) };
  }
}
