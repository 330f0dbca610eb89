import type { SequenceStore } from './sequence-store.ts';

/** Saves the position of the program, one write at a time; while one runs, only the newest position waits. */
export class PositionKeeper {
  private readonly store: SequenceStore;
  private readonly failed: (error: unknown) => void;
  private waiting: string | undefined;
  private writing: Promise<void> | undefined;

  constructor(store: SequenceStore, failed: (error: unknown) => void) {
    this.store = store;
    this.failed = failed;
  }

  note(sequence: string): void {
    this.waiting = sequence;
    this.writing ??= this.write();
  }

  /** Resolves when the newest position is saved. */
  async settled(): Promise<void> {
    await this.writing;
  }

  private async write(): Promise<void> {
    try {
      while (this.waiting !== undefined) {
        const sequence = this.waiting;
        this.waiting = undefined;
        await this.store.save(sequence);
      }
    } catch (error) {
      this.failed(error);
    } finally {
      this.writing = undefined;
    }
  }
}
