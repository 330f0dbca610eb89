/** Texts that were entered, by field; each field hears only of its own, so that thousands of them stay fast. */
export class EnteredTexts {
  private texts: ReadonlyMap<string, string> = new Map();
  private readonly listeners = new Set<() => void>();
  private readonly fieldListeners = new Map<string, Set<() => void>>();

  get(field: string): string {
    return this.texts.get(field) ?? '';
  }

  set(field: string, text: string): void {
    this.texts = new Map(this.texts).set(field, text);
    for (const listener of this.fieldListeners.get(field) ?? []) listener();
    for (const listener of this.listeners) listener();
  }

  /** Writes texts into many fields. */
  setAll(texts: Iterable<readonly [field: string, text: string]>): void {
    for (const [field, text] of texts) this.set(field, text);
  }

  /** Empties the fields whose names are not kept. */
  clear(isKept: (field: string) => boolean = () => false): void {
    for (const [field, text] of this.texts) if (text !== '' && !isKept(field)) this.set(field, '');
  }

  /** All texts; another map after each change. */
  readonly all = (): ReadonlyMap<string, string> => this.texts;

  /** Whether any value is entered; sizes of samples alone are none. */
  readonly hasValue = (): boolean => [...this.texts].some(([field, text]) => text !== '' && !isSizeField(field));

  /** Calls the listener after each change. @returns the function that ends it */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** Calls the listener after each change of one field. @returns the function that ends it */
  subscribeField(field: string, listener: () => void): () => void {
    const listeners = this.fieldListeners.get(field) ?? new Set();
    this.fieldListeners.set(field, listeners.add(listener));
    return () => listeners.delete(listener);
  }
}

/** Name of the field of a sample size. */
export function sizeField(characteristicUuid: string): string {
  return `${characteristicUuid}/size`;
}

export function isSizeField(field: string): boolean {
  return field.endsWith('/size');
}
