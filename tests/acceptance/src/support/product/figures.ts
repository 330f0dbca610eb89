/** Formats `{ acknowledged: 3, readsBroken: 0 }` as `3 acknowledged, 0 readsBroken`. */
export function figuresOf(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .map(([name, count]) => `${count} ${name}`)
    .join(', ');
}
