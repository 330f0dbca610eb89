const NAME = 'sinebar.drafts';

/** What a reader has typed into a form and not saved. */
interface Draft {
  user: string;
  value: unknown;
}

/**
 * What is typed in the forms of the page and not saved.
 * A sign-in at the provider leaves the page: the drafts stay in the storage of the tab, and the forms offer them afterwards.
 */
export class Drafts {
  private readonly storage: Storage;
  private readonly open = new Map<string, () => Draft>();
  private isLeaving = false;

  constructor(storage: Storage) {
    this.storage = storage;
  }

  /** Whether the page is left with its drafts kept, so that nothing is lost. */
  readonly areKept = (): boolean => this.isLeaving;

  /** Adds the draft of a form. @returns the function that removes it */
  hold(form: string, read: () => Draft): () => void {
    this.open.set(form, read);
    return () => this.open.delete(form);
  }

  /** Writes the drafts of all forms into the storage. @throws DOMException when they are too large for it */
  keep(): void {
    const drafts = { ...this.kept(), ...Object.fromEntries([...this.open].map(([form, read]) => [form, read()])) };
    if (Object.keys(drafts).length > 0) this.storage.setItem(NAME, JSON.stringify(drafts));
    this.isLeaving = true;
  }

  /** The page stays although its drafts were kept: the forms have them still. */
  stay(): void {
    this.isLeaving = false;
    for (const form of this.open.keys()) this.forget(form);
  }

  /** Returns the kept draft of a form, if this user has typed it. */
  find(form: string, user: string): unknown {
    const draft = this.kept()[form];
    return draft?.user === user ? draft.value : undefined;
  }

  forget(form: string): void {
    const { [form]: _forgotten, ...others } = this.kept();
    if (Object.keys(others).length === 0) this.storage.removeItem(NAME);
    else this.storage.setItem(NAME, JSON.stringify(others));
  }

  forgetAll(): void {
    this.storage.removeItem(NAME);
  }

  private kept(): Readonly<Record<string, Draft>> {
    return JSON.parse(this.storage.getItem(NAME) ?? '{}') as Record<string, Draft>;
  }
}
