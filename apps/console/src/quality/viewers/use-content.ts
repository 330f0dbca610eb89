import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { queryKeys } from '../../server/queries/keys';
import type { ContentSource } from './content-source';
import { readContent, TooLargeError, type Content } from './read-content';

export interface ContentLimits {
  /** Only the beginning is read, of this many bytes. */
  first?: number;
  /** A larger content is read on demand only, bytes. */
  maxUnasked?: number;
}

export interface ContentState {
  content: Content | undefined;
  error: unknown;
  /** Bytes read so far, and the whole size where it is known; `undefined` while nothing is being read. */
  progress: { readBytes: number; sizeBytes: number | undefined } | undefined;
  /** Whether the content waits until the reader wants it. */
  isWaiting: boolean;
  /** Whole size in bytes, where it is known. */
  sizeBytes: number | undefined;
  /** Reads a content that is waiting, or one that failed again. */
  read: () => void;
  /** Ends the reading; the content waits again. */
  cancel: () => void;
}

/** Longest time between two states of the progress, ms. */
const PROGRESS_MS = 100;

/** Reads a content: at once when it is small, else on demand, with its progress. */
export function useContent(source: ContentSource, { first, maxUnasked }: ContentLimits): ContentState {
  const queries = useQueryClient();
  const isLarge = maxUnasked !== undefined && (source.sizeBytes ?? 0) > maxUnasked;
  const [isWanted, setWanted] = useState(!isLarge);
  const [isAsked, setAsked] = useState(false);
  const [progress, setProgress] = useState<ContentState['progress']>();
  // What nobody asked for stops at the limit: it is another reading.
  const queryKey = queryKeys.content('bytes', source.id, first, isAsked);
  const { data, error, isFetching, refetch } = useQuery({
    queryKey,
    queryFn: async ({ signal }) => {
      let shownAt = 0;
      return await readContent(source, {
        first,
        maxBytes: isAsked ? undefined : maxUnasked,
        signal,
        onProgress: (readBytes, sizeBytes) => {
          if (performance.now() - shownAt < PROGRESS_MS) return;
          shownAt = performance.now();
          setProgress({ readBytes, sizeBytes });
        },
      });
    },
    enabled: isWanted,
    staleTime: Number.POSITIVE_INFINITY,
    // The bytes of a file are large: they go with their viewer.
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  const isTooLarge = error instanceof TooLargeError;
  return {
    content: data,
    error: isTooLarge ? undefined : (error ?? undefined),
    progress: isFetching ? (progress ?? { readBytes: 0, sizeBytes: source.sizeBytes }) : undefined,
    isWaiting: !isFetching && data === undefined && (!isWanted || isTooLarge),
    sizeBytes: isTooLarge ? error.sizeBytes : source.sizeBytes,
    read: () => {
      setProgress(undefined);
      if (isWanted && isAsked) void refetch();
      setAsked(true);
      setWanted(true);
    },
    cancel: () => {
      setWanted(false);
      void queries.cancelQueries({ queryKey });
    },
  };
}
