import type { TargetEntity } from '@sinebar/client';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useReducer, useRef } from 'react';
import { typeToStore } from '../../../quality/files/file-kind';
import { queryKeys } from '../../../server/queries/keys';
import { useServer } from '../../../server/server';
import { uploadFetch } from './upload-fetch';
import { nextUpload, uploadsAfter, type Upload } from './upload-list';

export interface Uploads {
  uploads: readonly Upload[];
  add: (files: readonly File[], target: TargetEntity, targetName: string) => void;
  cancel: (id: number) => void;
  remove: (id: number) => void;
}

/** Sends files one after the other, and reports their progress. */
export function useUploads(): Uploads {
  const server = useServer();
  const queries = useQueryClient();
  const [uploads, act] = useReducer(uploadsAfter, []);
  const files = useRef(new Map<number, File>());
  const running = useRef(new Map<number, AbortController>());
  const lastId = useRef(0);

  useEffect(() => {
    const next = nextUpload(uploads);
    const file = next && files.current.get(next.id);
    if (!next || !file || running.current.has(next.id)) return;
    const { id } = next;
    const controller = new AbortController();
    running.current.set(id, controller);
    act({ type: 'started', id, atMs: Date.now() });
    const send = async () => {
      try {
        const stored = await server.rawData.upload(
          next.target,
          { fileName: file.name, mimeType: typeToStore(file), content: file },
          { signal: controller.signal, fetch: uploadFetch((bytes) => act({ type: 'sent', id, bytes, atMs: Date.now() })) },
        );
        act({ type: 'stored', id, stored });
        await queries.invalidateQueries({ queryKey: queryKeys.files() });
      } catch (error) {
        if (controller.signal.aborted) act({ type: 'cancelled', id });
        else act({ type: 'failed', id, problem: error instanceof Error ? error.message : String(error) });
      } finally {
        files.current.delete(id);
        running.current.delete(id);
      }
    };
    void send();
  }, [uploads, server, queries]);

  useEffect(() => {
    const controllers = running.current;
    // Leaving the page ends what is not stored yet.
    return () => {
      for (const controller of controllers.values()) controller.abort();
    };
  }, []);

  const add = useCallback((added: readonly File[], target: TargetEntity, targetName: string) => {
    const made = added.map((file): Upload => {
      lastId.current += 1;
      files.current.set(lastId.current, file);
      return { id: lastId.current, name: file.name, sizeBytes: file.size, target, targetName, state: 'waiting', sentBytes: 0 };
    });
    act({ type: 'added', uploads: made });
  }, []);
  const cancel = useCallback((id: number) => {
    running.current.get(id)?.abort(new DOMException('The upload was cancelled.', 'AbortError'));
    if (!running.current.has(id)) act({ type: 'cancelled', id });
  }, []);
  const remove = useCallback((id: number) => act({ type: 'removed', id }), []);
  return { uploads, add, cancel, remove };
}
