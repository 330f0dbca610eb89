function sorted(values: readonly number[]): number[] {
  return [...values].sort((a, b) => a - b);
}

/** Returns the value below which `share` (0 to 1) of the values lie. */
export function percentile(values: readonly number[], share: number): number {
  const ordered = sorted(values);
  return ordered[Math.min(ordered.length - 1, Math.floor(ordered.length * share))] ?? NaN;
}

export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

/** Returns the duration of the work in milliseconds. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

export function ratio(measured: number, base: number): string {
  return (measured / base).toFixed(2);
}

/** A table in Markdown. */
export function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const cell = (value: string | number) => (typeof value === 'number' ? value.toPrecision(3) : value);
  return [head, head.map(() => '---'), ...rows.map((row) => row.map(cell))].map((row) => `| ${row.join(' | ')} |`).join('\n');
}
