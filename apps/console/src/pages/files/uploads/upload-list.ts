import type { RawDataInformation, TargetEntity } from '@sinebar/client';

/** A file that is sent, was sent or was refused. */
export interface Upload {
  id: number;
  name: string;
  sizeBytes: number;
  target: TargetEntity;
  /** Name of what the file becomes a file of. */
  targetName: string;
  state: 'waiting' | 'sending' | 'stored' | 'failed' | 'cancelled';
  sentBytes: number;
  startedMs?: number;
  /** Seconds that the rest takes at the speed so far; absent as long as little is known. */
  secondsLeft?: number | undefined;
  /** Sentence of a refusal. */
  problem?: string;
  stored?: RawDataInformation;
}

export type UploadAction =
  | { type: 'added'; uploads: readonly Upload[] }
  | { type: 'started'; id: number; atMs: number }
  | { type: 'sent'; id: number; bytes: number; atMs: number }
  | { type: 'stored'; id: number; stored: RawDataInformation }
  | { type: 'failed'; id: number; problem: string }
  | { type: 'cancelled'; id: number }
  | { type: 'removed'; id: number };

/** The list of uploads after an action. */
export function uploadsAfter(uploads: readonly Upload[], action: UploadAction): readonly Upload[] {
  if (action.type === 'added') return [...uploads, ...action.uploads];
  if (action.type === 'removed') return uploads.filter(({ id }) => id !== action.id);
  return uploads.map((upload) => (upload.id === action.id ? changed(upload, action) : upload));
}

function changed(upload: Upload, action: Exclude<UploadAction, { type: 'added' | 'removed' }>): Upload {
  switch (action.type) {
    case 'started':
      return { ...upload, state: 'sending', startedMs: action.atMs };
    case 'sent': {
      const sent = { ...upload, sentBytes: Math.min(action.bytes, upload.sizeBytes) };
      return { ...sent, secondsLeft: secondsLeft(sent, action.atMs) };
    }
    case 'stored':
      return { ...upload, state: 'stored', sentBytes: upload.sizeBytes, stored: action.stored };
    case 'failed':
      return { ...upload, state: 'failed', problem: action.problem };
    case 'cancelled':
      return { ...upload, state: 'cancelled' };
  }
}

/** The next upload to send: one at a time, in the order in which they were added. */
export function nextUpload(uploads: readonly Upload[]): Upload | undefined {
  return uploads.some(({ state }) => state === 'sending') ? undefined : uploads.find(({ state }) => state === 'waiting');
}

function secondsLeft({ startedMs, sentBytes, sizeBytes }: Upload, nowMs: number): number | undefined {
  if (startedMs === undefined || sentBytes === 0 || nowMs - startedMs < 500) return undefined;
  return Math.ceil(((sizeBytes - sentBytes) / sentBytes) * ((nowMs - startedMs) / 1000));
}
