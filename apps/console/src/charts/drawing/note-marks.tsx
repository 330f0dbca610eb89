import { Vertical } from './figure';
import { c } from './paths';
import styles from './drawing.module.css';

/** Notes about one place of a chart. */
export interface ShownNote {
  /** Middle of the point, or beginning of a stretch, in points from the first that is shown. */
  readonly position: number;
  /** End of a stretch. */
  readonly end?: number;
  /** What is written, with who wrote it. */
  readonly label: string;
}

interface NoteMarksProps {
  notes: readonly ShownNote[];
  x: (position: number) => number;
  top: number;
  bottom: number;
}

/** Width and height of a mark, and width within which the pointer finds it, px. */
const MARK = 9;
const GRIP = 13;

/** A sheet above each point or stretch with a note, tied to it by a line; its tool tip is the note. */
export function NoteMarks({ notes, x, top, bottom }: NoteMarksProps) {
  return (
    <>
      {notes.map(({ position, end, label }) => {
        const at = x(position);
        return (
          <g key={`${position} ${end ?? ''}`}>
            <title>{label}</title>
            {end !== undefined && <path className={styles.noteSpan} d={`M${c(at)} ${c(top + 1.5)}H${c(Math.max(x(end), at + 2))}`} />}
            {end === undefined && <Vertical x={at} y1={top} y2={bottom} kind="leader" />}
            <path className={styles.noteMark} d={sheet(at - (end === undefined ? MARK / 2 : 0), top - 1)} />
            <rect x={c(at - GRIP / 2)} y={c(top - 3)} width={GRIP} height={GRIP} fillOpacity={0} />
          </g>
        );
      })}
    </>
  );
}

/** A sheet with a folded corner and its left upper corner at this place. */
function sheet(left: number, top: number): string {
  return `M${c(left)} ${c(top)}h${MARK - 3}l3 3v${MARK - 3}h-${MARK}z`;
}
