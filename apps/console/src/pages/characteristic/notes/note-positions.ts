import type { ShownEntry, ShownNote, ShownSeries } from '@sinebar/charts';
import type { Note } from '@sinebar/client';

/** Finds the position of a note among the points in view. @param times of measurements that are not in view as single points */
export function positionOf(
  { measurementUuid, from, to }: Pick<Note, 'measurementUuid' | 'from' | 'to'>,
  { entries, count }: Pick<ShownSeries, 'entries' | 'count'>,
  times: ReadonlyMap<string, string>,
): Omit<ShownNote, 'label'> | undefined {
  if (measurementUuid !== undefined) {
    const entry =
      entries.find(({ measurementUuids }) => measurementUuids.includes(measurementUuid)) ?? entryAt(entries, times.get(measurementUuid));
    return entry && { position: entry.position + entry.count / 2 };
  }
  if (from === undefined) return undefined;
  const first = entries.find((entry) => isUntil(from, entry.to));
  const last = to === undefined ? entries.at(-1) : entries.findLast((entry) => isUntil(entry.from, to));
  if (first === undefined || last === undefined || last.position < first.position) return undefined;
  return { position: first.position, end: Math.min(last.position + last.count, count) };
}

function entryAt(entries: readonly ShownEntry[], time: string | undefined): ShownEntry | undefined {
  if (time === undefined) return undefined;
  return entries.find(({ from, to }) => isUntil(from, time) && isUntil(time, to));
}

/** Whether one time is not after another; a point without a time is nowhere. */
function isUntil(a: string | undefined, b: string | undefined): boolean {
  return a !== undefined && b !== undefined && Date.parse(a) <= Date.parse(b);
}

/** Finds the positions of notes; those at the same position are one mark. */
export function positionNotes(
  notes: readonly Note[],
  shown: Pick<ShownSeries, 'entries' | 'count'>,
  times: ReadonlyMap<string, string>,
  write: (note: Note) => string,
): ShownNote[] {
  const byPosition = new Map<string, ShownNote>();
  for (const note of notes) {
    const found = positionOf(note, shown, times);
    if (!found) continue;
    const key = `${found.position} ${found.end ?? ''}`;
    const known = byPosition.get(key);
    byPosition.set(key, { ...found, label: known ? `${known.label}\n\n${write(note)}` : write(note) });
  }
  return [...byPosition.values()].sort((a, b) => a.position - b.position);
}

/** Notes about an entry of the chart, or a stretch that it lies in. */
export function notesAt(notes: readonly ShownNote[], { position, count }: Pick<ShownEntry, 'position' | 'count'>): ShownNote[] {
  return notes.filter(({ position: at, end }) =>
    end === undefined ? at >= position && at < position + count : at < position + count && end > position,
  );
}
