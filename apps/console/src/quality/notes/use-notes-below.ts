import type { Note } from '@sinebar/client';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { notesQuery } from '../../server/queries/note-queries';
import { useServer } from '../../server/server';

const NONE: ReadonlyMap<string, readonly Note[]> = new Map();

/** Notes at and below a part by the uuid of their characteristic, the newest first. */
export function useNotesBelow(partPath: string | undefined): ReadonlyMap<string, readonly Note[]> {
  const server = useServer();
  const { data } = useQuery({ ...notesQuery(server, { partPath: partPath ?? '' }), enabled: partPath !== undefined });
  return useMemo(() => (data ? byCharacteristic(data) : NONE), [data]);
}

export function byCharacteristic(notes: readonly Note[]): ReadonlyMap<string, readonly Note[]> {
  const found = new Map<string, Note[]>();
  for (const note of notes) {
    if (note.characteristicUuid === undefined) continue;
    const known = found.get(note.characteristicUuid);
    if (known) known.push(note);
    else found.set(note.characteristicUuid, [note]);
  }
  return found;
}
