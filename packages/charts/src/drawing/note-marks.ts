import { vertical } from './lines.ts';
import { c, rounded } from './paths.ts';
import { area, group, path, type Group } from './shapes.ts';

/** Notes about one place of a chart, or an alarm there. */
export interface ShownNote {
  /** Middle of the point, or beginning of a stretch, in points from the first that is shown. */
  readonly position: number;
  /** End of a stretch. */
  readonly end?: number;
  /** What is written, with who wrote it. */
  readonly label: string;
  /** Uuid of the alarm; absent for notes. */
  readonly alarm?: string;
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

/** A sheet above each point or stretch with a note, and a flag below it for an alarm, tied to it by a line; its tool tip is the text. */
export function noteMarks({ notes, x, top, bottom }: NoteMarks): Group[] {
  return notes.map(({ position, end, label, alarm }) => {
    const at = x(position);
    if (alarm !== undefined) return flag({ at, end: end === undefined ? undefined : x(end), top: top + MARK + 1, bottom, label });
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

interface Flag {
  at: number;
  /** End of the stretch of the alarm; absent for a single point. */
  end: number | undefined;
  top: number;
  bottom: number;
  label: string;
}

/** A pennant on a line, below the sheets, so that neither hides the other. */
function flag({ at, end, top, bottom, label }: Flag): Group {
  return group(
    [
      end === undefined
        ? vertical({ x: at, y1: top, y2: bottom, kind: 'leader' })
        : path('alarmSpan', `M${c(at)} ${c(top)}H${c(Math.max(end, at + 2))}`),
      path('alarmMark', `M${c(at)} ${c(top)}l${MARK} 3.5l-${MARK} 3.5z`),
      area(rounded(at - 2), rounded(top - 3), GRIP, GRIP),
    ],
    { title: label },
  );
}
