import { layBalloon, type Balloon } from '@sinebar/charts';
import type { DrawingPoint } from '@sinebar/client';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef, type CSSProperties, type RefObject } from 'react';
import { useTexts } from '../../design/language/language';
import { Glyph } from '../../design/status/glyph';
import glyphs from '../../design/status/glyph.module.css';
import { statusTexts } from '../../design/status/status-texts';
import type { Handle } from './balloon-changes';
import styles from './drawing.module.css';
import { MovableHandle } from './movable-handle';
import { inNumberOrder } from './number-order';
import { texts } from './texts';
import type { BalloonRow } from './use-balloons';

export interface BalloonLayerProps {
  partUuid: string;
  rows: readonly BalloonRow[];
  /** Size of the drawing on the screen, px. */
  size: { width: number; height: number };
  isEditing: boolean;
  selected: string | undefined;
  /** The characteristic whose balloon gets the focus. */
  focused: string | undefined;
  onFocused: () => void;
  onSelect: (uuid: string) => void;
  onMove: (uuid: string, handle: Handle, point: DrawingPoint) => void;
  onRemove: (uuid: string) => void;
}

/** Smallest and largest radius on the screen, px: a pointer needs 24 px. */
const RADII = { min: 12, max: 32 };

/** Balloons above a drawing, in the order of their numbers: links to their characteristics, or what moves them. */
export function BalloonLayer({ partUuid, rows, size, isEditing, ...edit }: BalloonLayerProps) {
  const t = useTexts(texts);
  const layer = useRef<HTMLDivElement>(null);
  const shown = inNumberOrder(rows).flatMap((row) =>
    row.stamp === undefined ? [] : [{ row, stamp: row.stamp, balloon: layBalloon(row.stamp, row.number, size, RADII) }],
  );
  const { focused, onFocused } = edit;
  useEffect(() => {
    if (focused === undefined) return;
    layer.current?.querySelector<HTMLElement>(`[data-balloon="${focused}"]`)?.focus();
    onFocused();
  }, [focused, onFocused]);
  return (
    <div ref={layer} className={styles.layer}>
      <svg className={styles.lines} viewBox={`0 0 ${size.width} ${size.height}`} aria-hidden>
        {shown.map(
          ({ row, balloon: { line } }) =>
            line && (
              <g key={row.uuid} className={glyphs[row.now ?? 'noData']}>
                <line {...line} className={styles.halo} />
                <line {...line} className={styles.line} />
                <circle cx={line.x2} cy={line.y2} r={2.5} className={styles.dot} />
              </g>
            ),
        )}
      </svg>
      <ul aria-label={t.balloons} className={styles.balloons}>
        {shown.map(({ row, stamp, balloon }) => (
          <li key={row.uuid}>
            {isEditing ? (
              <EditedBalloon row={row} target={stamp.target} balloon={balloon} size={size} layer={layer} {...edit} />
            ) : (
              <LinkedBalloon partUuid={partUuid} row={row} balloon={balloon} />
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Position and size of a balloon. */
function balloonStyle({ x, y, radius, letterHeight }: Balloon): CSSProperties {
  return { left: x - radius, top: y - radius, width: 2 * radius, height: 2 * radius, fontSize: letterHeight };
}

function useBalloonName({ number, name, now }: BalloonRow): string {
  const t = useTexts(texts);
  const statuses = useTexts(statusTexts);
  return now === undefined ? t.balloon(number, name) : `${t.balloon(number, name)}: ${statuses[now]}`;
}

function LinkedBalloon({ partUuid, row, balloon }: { partUuid: string; row: BalloonRow; balloon: Balloon }) {
  const name = useBalloonName(row);
  return (
    <Link
      className={`${styles.balloon} ${glyphs[row.now ?? 'noData']}`}
      style={balloonStyle(balloon)}
      to="/parts/$partUuid/characteristics/$characteristicUuid"
      params={{ partUuid, characteristicUuid: row.uuid }}
      aria-label={name}
      title={name}
    >
      <BalloonContent row={row} />
    </Link>
  );
}

function BalloonContent({ row: { number, now } }: { row: BalloonRow }) {
  return (
    <>
      {number}
      {now !== undefined && (
        <span className={styles.glyph}>
          <Glyph name={now} label="" />
        </span>
      )}
    </>
  );
}

interface EditedBalloonProps extends Pick<BalloonLayerProps, 'size' | 'selected' | 'onSelect' | 'onMove' | 'onRemove'> {
  row: BalloonRow;
  target: DrawingPoint | undefined;
  balloon: Balloon;
  layer: RefObject<HTMLElement | null>;
}

function EditedBalloon({ row, target, balloon, size, layer, selected, onSelect, onMove, onRemove }: EditedBalloonProps) {
  const t = useTexts(texts);
  const name = useBalloonName(row);
  const { uuid } = row;
  const common = { size, layer, onSelect: () => onSelect(uuid), onRemove: () => onRemove(uuid) };
  return (
    <>
      <MovableHandle
        {...common}
        className={`${styles.balloon} ${glyphs[row.now ?? 'noData']} ${selected === uuid ? styles.chosen : ''}`}
        style={balloonStyle(balloon)}
        point={{ x: balloon.x / size.width, y: balloon.y / size.height }}
        name={name}
        balloonOf={uuid}
        onMove={(point) => onMove(uuid, 'balloon', point)}
      >
        <BalloonContent row={row} />
      </MovableHandle>
      {target !== undefined && (
        <MovableHandle
          {...common}
          className={`${styles.target}`}
          style={{ left: target.x * size.width, top: target.y * size.height }}
          point={target}
          name={t.target(row.number, row.name)}
          onMove={(point) => onMove(uuid, 'target', point)}
        />
      )}
    </>
  );
}
