import { CommandError } from '../command-line/command.js';

/** Sentences of one kind that are shown. */
const SHOWN = 10;

export type ConflictKind = 'configuration' | 'plan' | 'measurements' | 'files';

/** What stands in the way of an import, as sentences. */
export class Conflicts {
  private readonly kinds = new Map<ConflictKind, { count: number; shown: string[] }>();

  add(kind: ConflictKind, sentence: string): void {
    const found = this.kinds.get(kind) ?? { count: 0, shown: [] };
    this.kinds.set(kind, found);
    found.count += 1;
    if (found.shown.length < SHOWN) found.shown.push(sentence);
  }

  /** @throws CommandError with all of them, when there are some */
  throwIfAny(): void {
    if (this.kinds.size === 0) return;
    const lines = [...this.kinds].flatMap(([kind, { count, shown }]) => [
      ...shown.map((sentence) => `  ${sentence}`),
      ...(count > SHOWN ? [`  … and ${count - SHOWN} more (${kind})`] : []),
    ]);
    throw new CommandError(
      `Nothing was imported, since this is different on the server:\n${lines.join('\n')}\nChange or delete it on one of the servers, and run the import again.`,
    );
  }
}
