import { CommandError } from '../../command-line/command.ts';

/** Maximum sentences of one kind to show. */
const SHOWN = 10;

export type ConflictKind = 'configuration' | 'plan' | 'measurements' | 'files';

/** Conflicts that prevent an import, as sentences. */
export class Conflicts {
  private readonly kinds = new Map<ConflictKind, { count: number; shown: string[] }>();

  add(kind: ConflictKind, sentence: string): void {
    const found = this.kinds.get(kind) ?? { count: 0, shown: [] };
    this.kinds.set(kind, found);
    found.count += 1;
    if (found.shown.length < SHOWN) found.shown.push(sentence);
  }

  /** Throws a CommandError with all conflicts, if there are any. */
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
