import { vertical } from './lines.ts';
import { c, rounded } from './paths.ts';
import { area, group, path, type Group } from './shapes.ts';

/** Notes about one place of a chart. */
export interface ShownNote {
  /** Middle of the point, or beginning of a stretch, in points from the first that is shown. */
  readonly position: number;
  /** End of a stretch. */
  readonly end?: number;
  /** What is written, with who wrote it. */
  readonly label: string;
}

interface NoteMarks {
  notes: readonly ShownNote[];
  x: (position: number) => number;
  top: number;
  bottom: number;
}

/** Width and height of a mark, and width within which the pointer finds it, px. */
const MARK = 9;
const GRIP = 13;

/** A sheet above each point or stretch with a note, tied to it by a line; its tool tip is the note. */
export function noteMarks({ notes, x, top, bottom }: NoteMarks): Group[] {
  return notes.map(({ position, end, label }) => {
    const at = x(position);
    return group(
      [
        end === undefined
          ? vertical({ x: at, y1: top, y2: bottom, kind: 'leader' })
          : path('noteSpan', `M${c(at)} ${c(top + 1.5)}H${c(Math.max(x(end), at + 2))}`),
        path('noteMark', sheet(at - (end === undefined ? MARK / 2 : 0), top - 1)),
        area(rounded(at - GRIP / 2), rounded(top - 3), GRIP, GRIP),
      ],
      { title: label },
    );
  });
}

/** A sheet with a folded corner and its left upper corner at this place. */
function sheet(left: number, top: number): string {
  return `M${c(left)} ${c(top)}h${MARK - 3}l3 3v${MARK - 3}h-${MARK}z`;
}
