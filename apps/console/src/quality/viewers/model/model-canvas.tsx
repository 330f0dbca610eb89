import { useCallback, useId, useState, type KeyboardEvent } from 'react';
import { Button } from '../../../design/controls/button';
import { useFormats, useTexts } from '../../../design/language/language';
import textStyles from '../../../design/styles/text.module.css';
import { Sentence } from '../sentence';
import styles from '../viewer.module.css';
import { CONTEXT, ModelScene, VIEWS } from './model-scene';
import { texts } from './model-texts';
import type { Model } from './read-model';

export interface ModelCanvasProps {
  name: string;
  model: Model;
  /** Called when the browser has taken the graphics away. */
  onLost: () => void;
}

/** One step of a key or button: radians, px and a factor. */
const TURN = Math.PI / 12;
const MOVE = 40;
const ZOOM = 1.25;
/** Digits of an extent. */
const DIGITS = 5;

/** A model on a canvas, with the keys and buttons that turn it. */
export function ModelCanvas({ name, model, onLost }: ModelCanvasProps) {
  const t = useTexts(texts);
  const formats = useFormats();
  const id = useId();
  const [scene, setScene] = useState<ModelScene | 'none'>();
  /** Triangles and points that are drawn, where they are not all. */
  const [thinned, setThinned] = useState<number>();
  const attach = useCallback(
    (canvas: HTMLCanvasElement | null) => {
      if (!canvas) return undefined;
      canvas.addEventListener('webglcontextlost', onLost);
      const drawn = startScene(canvas, model, setThinned);
      setScene(drawn ?? 'none');
      return () => {
        canvas.removeEventListener('webglcontextlost', onLost);
        drawn?.dispose();
      };
    },
    [model, onLost],
  );
  if (scene === 'none') return <Sentence>{t.noGraphics}</Sentence>;

  const turns = [
    { name: t.turnLeft, sign: '←', act: () => scene?.turn(-TURN, 0) },
    { name: t.turnRight, sign: '→', act: () => scene?.turn(TURN, 0) },
    { name: t.turnUp, sign: '↑', act: () => scene?.turn(0, TURN) },
    { name: t.turnDown, sign: '↓', act: () => scene?.turn(0, -TURN) },
    { name: t.zoomOut, sign: '−', act: () => scene?.zoom(1 / ZOOM) },
    { name: t.zoomIn, sign: '+', act: () => scene?.zoom(ZOOM) },
  ];
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const arrows: Readonly<Record<string, readonly [right: number, up: number]>> = {
      ArrowLeft: [-1, 0],
      ArrowRight: [1, 0],
      ArrowUp: [0, 1],
      ArrowDown: [0, -1],
    };
    const arrow = arrows[event.key];
    const view = VIEWS[Number(event.key) - 1];
    if (arrow && event.shiftKey) scene?.move(arrow[0] * MOVE, arrow[1] * MOVE);
    else if (arrow) scene?.turn(arrow[0] * TURN, arrow[1] * TURN);
    else if (event.key === '+' || event.key === '=') scene?.zoom(ZOOM);
    else if (event.key === '-') scene?.zoom(1 / ZOOM);
    else if (event.key === '0') scene?.fit();
    else if (view) scene?.show(view);
    else return;
    event.preventDefault();
  };
  const [x, y, z] = model.size.map((extent) => formats.number(Number(extent.toPrecision(DIGITS)))) as [string, string, string];

  return (
    <div className={styles.column}>
      <div className={styles.tools}>
        <div role="group" aria-label={t.views} className={styles.buttons}>
          {VIEWS.map((view) => (
            <Button key={view} onPress={() => scene?.show(view)}>
              {t[view]}
            </Button>
          ))}
        </div>
        <div role="group" aria-label={t.turning} className={styles.buttons}>
          {turns.map(({ name: label, sign, act }) => (
            <Button key={label} aria-label={label} onPress={act}>
              {sign}
            </Button>
          ))}
          <Button onPress={() => scene?.fit()}>{t.fit}</Button>
        </div>
      </div>
      <div
        role="application"
        tabIndex={0}
        aria-label={t.model(name)}
        aria-describedby={`${id}facts ${id}keys`}
        className={styles.model}
        onKeyDown={onKeyDown}
      >
        <canvas ref={attach} className={styles.canvas} />
      </div>
      <p id={`${id}facts`} className={textStyles.note}>
        {[
          ...(model.triangles > 0 ? [t.triangles(formats.count(model.triangles))] : []),
          ...(model.points > 0 ? [t.points(formats.count(model.points))] : []),
          t.extent(x, y, z),
        ].join(' · ')}
      </p>
      {thinned !== undefined && <p role="status">{t.thinned(formats.count(thinned), formats.count(model.triangles + model.points))}</p>}
      <p id={`${id}keys`} className={textStyles.note}>
        {t.keys}
      </p>
    </div>
  );
}

/** @returns undefined where the browser has no WebGL */
function startScene(canvas: HTMLCanvasElement, model: Model, onThinned: (drawn: number) => void): ModelScene | undefined {
  // The library reports a missing WebGL as an error of the page.
  if (canvas.getContext('webgl2', CONTEXT) === null) return undefined;
  return new ModelScene(canvas, model, onThinned);
}
