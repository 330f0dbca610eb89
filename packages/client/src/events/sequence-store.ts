/** Where a program notes how far it has come in the event stream, so that it goes on there after a restart. */
export interface SequenceStore {
  /** `undefined` when nothing was noted. */
  load(): string | undefined | Promise<string | undefined>;
  save(sequence: string): void | Promise<void>;
}

/** Forgets when the program ends: events of the time between two runs are missed. */
export function memoryStore(sequence?: string): SequenceStore {
  let noted = sequence;
  return {
    load: () => noted,
    save: (next) => void (noted = next),
  };
}

/** What is used of `localStorage`. */
export interface WebStorage {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
}

/** For pages in a browser: `webStore(localStorage)`, or `sessionStorage` for the life of a tab. */
export function webStore(storage: WebStorage, key = 'sinebar.sequence'): SequenceStore {
  return {
    load: () => storage.getItem(key) ?? undefined,
    save: (sequence) => storage.setItem(key, sequence),
  };
}
