/** Stores the position of a program in the event stream, so it resumes there after a restart. */
export interface SequenceStore {
  /** Returns `undefined` when no position was saved. */
  load(): string | undefined | Promise<string | undefined>;
  save(sequence: string): void | Promise<void>;
}

/** Keeps the position in memory: events between two runs of the program are missed. */
export function memoryStore(sequence?: string): SequenceStore {
  let noted = sequence;
  return {
    load: () => noted,
    save: (next) => void (noted = next),
  };
}

/** The members of `localStorage` that are used. */
export interface WebStorage {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
}

/** Stores the position in the browser: `webStore(localStorage)`, or `sessionStorage` for the life of a tab. */
export function webStore(storage: WebStorage, key = 'sinebar.sequence'): SequenceStore {
  return {
    load: () => storage.getItem(key) ?? undefined,
    save: (sequence) => storage.setItem(key, sequence),
  };
}
