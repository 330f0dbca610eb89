import type { Drawing, Shape } from '@sinebar/charts';
import { LIGHT_SHEET } from '@sinebar/charts';
import { fillOperator, strokeOperator } from './colors.ts';
import { REGULAR, STRONG } from './fonts.ts';
import { Looks, type Look, type StyledElement } from './looks.ts';
import { INK, rounded, type Paper } from './paper.ts';
import type { ReportDocument } from './report-document.ts';

/** Points of a pixel of a drawing: texts of 12 pixels get 8.4 points. */
export const POINTS = 0.7;
const TEXT_SIZE = 12;

/** A path of straight lines, and one of its steps. */
const LINES = /^(?:[ML]-?[\d.]+ -?[\d.]+)+$/;
const LINE = /([ML])(-?[\d.]+) (-?[\d.]+)/g;
/** Content of glyphs by colour: tables have the same few in each row. */
const glyphs = new WeakMap<readonly Shape[], Map<string, string>>();

const looks = new Looks(LIGHT_SHEET);
const ROOT: StyledElement = { tag: 'svg', classes: ['figure'] };

/**
 * Draws a chart with its left upper corner at a point.
 * @param isTagged whether its label says what it shows to those who do not see it; `false` within another element
 */
export function drawFigure(paper: Paper, drawing: Drawing, x: number, y: number, scale = POINTS, isTagged = true): void {
  const { doc } = paper;
  const draw = () => {
    doc.save();
    doc.transform(scale, 0, 0, scale, x, y);
    for (const shape of drawing.shapes) drawShape(paper, shape, [ROOT]);
    doc.restore();
  };
  if (isTagged) paper.tag('Figure', draw, { alt: drawing.label });
  else draw();
}

/** Draws shapes of 12 by 12 pixels, such as the glyph of a status. */
export function drawGlyph(
  paper: Paper,
  shapes: readonly Shape[],
  { x, y, size, color }: { x: number; y: number; size: number; color: string },
): void {
  const { doc } = paper;
  let ofColors = glyphs.get(shapes);
  if (ofColors === undefined) glyphs.set(shapes, (ofColors = new Map<string, string>()));
  const known = ofColors.get(color) ?? doc.record(() => drawGlyphShapes(doc, shapes, color));
  ofColors.set(color, known);
  const scale = rounded(size / TEXT_SIZE);
  doc.addContent(`q ${scale} 0 0 ${scale} ${rounded(x)} ${rounded(y)} cm\n${known}Q`);
}

function drawGlyphShapes(doc: ReportDocument, shapes: readonly Shape[], color: string): void {
  doc.addContent(`${fillOperator(color)} ${strokeOperator(color)} 1.5 w`);
  for (const shape of shapes) {
    if (shape.kind === 'circle') doc.circle(shape.x, shape.y, shape.radius);
    else if (shape.kind === 'path') drawPath(doc, shape.d);
    if (shape.kind !== 'circle' && shape.kind !== 'path') continue;
    if (shape.role === 'hollow' || shape.role === 'cross') doc.stroke();
    else doc.fill();
  }
}

/** Draws the outlines of an SVG path. Most are lines, which need no reader. */
function drawPath(doc: ReportDocument, d: string): void {
  if (LINES.test(d))
    doc.addContent(d.replaceAll(LINE, (_, command: string, x: string, y: string) => `${x} ${y} ${command === 'M' ? 'm' : 'l'} `));
  else doc.path(d);
}

function drawShape(paper: Paper, shape: Shape, above: readonly StyledElement[]): void {
  const { doc } = paper;
  if (shape.kind === 'area') return;
  const tag = shape.kind === 'group' ? 'g' : shape.kind;
  const path = [...above, { tag, classes: shape.role?.split(' ') ?? [] } as const];
  switch (shape.kind) {
    case 'group': {
      const { origin, shapes } = shape;
      if (origin) {
        doc.save();
        doc.transform(origin.scale, 0, 0, origin.scale, origin.x, origin.y);
      }
      for (const inner of shapes) drawShape(paper, inner, path);
      if (origin) doc.restore();
      return;
    }
    case 'circle':
      return paint(doc, looks.of(path), false, () => doc.circle(shape.x, shape.y, shape.radius));
    case 'path': {
      const look = looks.of(path);
      const painted = shape.strokeWidth === undefined ? look : { ...look, width: shape.strokeWidth };
      return paint(doc, painted, shape.hasHoles ?? false, () => drawPath(doc, shape.d));
    }
    case 'text': {
      const { fill = INK, isStrong } = looks.of(path);
      paper.text(shape.text, rounded(shape.x), rounded(shape.y), {
        size: TEXT_SIZE,
        face: isStrong ? STRONG : REGULAR,
        color: fill,
        align: shape.anchor,
      });
    }
  }
}

/** Paints outlines. What a state sets has to stand before the outlines. */
function paint(doc: ReportDocument, { fill, stroke, width, dash, opacity, isRound }: Look, hasHoles: boolean, outline: () => void): void {
  if (fill === undefined && stroke === undefined) return;
  let state = 'q';
  if (stroke !== undefined) {
    state += ` ${strokeOperator(stroke)} ${width} w ${isRound ? 1 : 0} j`;
    if (dash && dash.length > 1) state += ` [${dash.join(' ')}] 0 d`;
  }
  if (fill !== undefined) state += ` ${fillOperator(fill)}`;
  doc.addContent(state);
  if (stroke !== undefined && opacity !== 1) doc.strokeOpacity(opacity);
  outline();
  const painting = fill === undefined ? 'S' : stroke === undefined ? 'f' : 'B';
  doc.addContent(`${painting}${hasHoles && painting !== 'S' ? '*' : ''} Q`);
}
