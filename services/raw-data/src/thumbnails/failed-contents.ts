const KEEP_MS = 10 * 60_000;
const MAX_CONTENTS = 10_000;

/** Remembers for a while which contents have no thumbnail, so that a list of files does not read them again and again. */
export class FailedContents {
  private readonly failures = new Map<string, { reason: string; until: number }>();

  /** @returns the reason, if it is known that there is no thumbnail of this content */
  reasonOf(md5: string): string | undefined {
    const failure = this.failures.get(md5);
    if (failure && failure.until > performance.now()) return failure.reason;
    this.failures.delete(md5);
    return undefined;
  }

  add(md5: string, reason: string): void {
    this.failures.delete(md5);
    this.failures.set(md5, { reason, until: performance.now() + KEEP_MS });
    const [oldest] = this.failures.keys();
    if (this.failures.size > MAX_CONTENTS && oldest !== undefined) this.failures.delete(oldest);
  }
}
