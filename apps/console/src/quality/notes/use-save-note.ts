import type { Note } from '@sinebar/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { statusOf } from '../../server/error-status';
import { newUuid } from '../../server/new-uuid';
import { queryKeys } from '../../server/queries/keys';
import { useServer } from '../../server/server';
import { contentOf, type NoteDraft, type NoteSubject } from './note-subject';

/** A note with the condition for changing it. */
export type ReadNote = Note & { etag: string };

/** Saves notes, and finds out what somebody else has made of the note meanwhile. */
export function useSaveNote({ partUuid, characteristic }: NoteSubject, note: ReadNote | undefined) {
  const server = useServer();
  const queries = useQueryClient();
  // The same uuid for each attempt: a request whose answer was lost does not write the note twice.
  const [uuid] = useState(newUuid);
  const [known, setKnown] = useState(note);
  const [theirs, setTheirs] = useState<ReadNote>();
  const [isGone, setGone] = useState(false);
  const renew = () => queries.invalidateQueries({ queryKey: queryKeys.notes() });
  const saving = useMutation({
    mutationFn: async (draft: NoteDraft): Promise<Note> => {
      const content = contentOf(draft);
      if (known && !isGone) return server.notes.update(known.uuid, content, { etag: known.etag });
      const target = draft.isOfPart || characteristic === undefined ? { partUuid } : { characteristicUuid: characteristic.uuid };
      try {
        return await server.notes.create({ ...target, ...content, uuid });
      } catch (error) {
        if (statusOf(error) === 409) return server.notes.get(uuid);
        throw error;
      }
    },
    onSuccess: renew,
  });
  const save = async (draft: NoteDraft): Promise<Note | undefined> => {
    try {
      return await saving.mutateAsync(draft);
    } catch (error) {
      if (known && statusOf(error) === 412) {
        const fresh = await server.notes.get(known.uuid).catch(() => undefined);
        if (fresh) {
          setKnown(fresh);
          setTheirs(fresh);
          saving.reset();
        }
      } else if (known && !isGone && statusOf(error) === 404) {
        setGone(true);
        saving.reset();
      }
      return undefined;
    }
  };
  return {
    /** @returns undefined where it failed */
    save,
    isSaving: saving.isPending,
    error: saving.error ?? undefined,
    /** What somebody else has written meanwhile; saving again replaces it. */
    theirs,
    /** Whether somebody else has deleted the note; saving writes it again. */
    isGone,
    /** Shows what somebody else has written since the note had this state. */
    compare: (etag: string | undefined) => note !== undefined && note.etag !== etag && setTheirs(note),
    /** Forgets what somebody else has written. */
    forget: () => setTheirs(undefined),
  };
}
