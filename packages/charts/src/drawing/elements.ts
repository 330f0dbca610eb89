import { LIGHT_SHEET } from './light-sheet.ts';
import type { Drawing, Shape } from './shapes.ts';

/** An SVG element that shows a shape. */
export interface SvgElement {
  readonly tag: 'g' | 'path' | 'circle' | 'rect' | 'text';
  /** Attributes in their order, spelled as in the DOM; `className` holds the roles of the shape. */
  readonly attributes: Readonly<Record<string, string | number>>;
  /** A text, or shapes behind a title. */
  readonly content?: string | { readonly title: string | undefined; readonly shapes: readonly Shape[] };
}

/** Returns the element of a shape, for all who show shapes as SVG. */
export function elementOf(shape: Shape): SvgElement {
  switch (shape.kind) {
    case 'group': {
      const { origin, title, shapes } = shape;
      const transform = origin && `translate(${origin.x} ${origin.y}) scale(${origin.scale})`;
      return { tag: 'g', attributes: { ...classOf(shape), ...(transform !== undefined && { transform }) }, content: { title, shapes } };
    }
    case 'path': {
      const { d, strokeWidth, hasHoles = false } = shape;
      const drawn = { ...(strokeWidth !== undefined && { strokeWidth }), ...(hasHoles && { fillRule: 'evenodd' }) };
      return { tag: 'path', attributes: { ...classOf(shape), ...drawn, d } };
    }
    case 'circle':
      return { tag: 'circle', attributes: { ...classOf(shape), cx: shape.x, cy: shape.y, r: shape.radius } };
    case 'area': {
      const { x, y, width, height } = shape;
      return { tag: 'rect', attributes: { x, y, width, height, fillOpacity: 0 } };
    }
    case 'text': {
      const { x, y, role, anchor, text } = shape;
      return { tag: 'text', attributes: { x, y, className: role, textAnchor: anchor }, content: text };
    }
  }
}

function classOf({ role }: { readonly role?: string }): { className?: string } {
  return role === undefined ? {} : { className: role };
}

/**
 * Writes a drawing as an SVG document whose classes are the roles of shapes, and `figure` of the whole.
 * @param sheet rules of CSS that give them their looks; without them they look as on the page
 */
export function svgOf({ width, height, label, shapes }: Drawing, sheet = LIGHT_SHEET): string {
  const size = `width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"`;
  const head = `<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="${escaped(label)}" class="figure" ${size}>`;
  return `${head}${sheet === '' ? '' : `<style>${sheet}</style>`}${shapes.map(markupOf).join('')}</svg>`;
}

function markupOf(shape: Shape): string {
  const { tag, attributes, content = '' } = elementOf(shape);
  const written = Object.entries(attributes).map(([name, value]) => ` ${svgName(name)}="${escaped(value)}"`);
  const inside = typeof content === 'string' ? escaped(content) : titleOf(content.title) + content.shapes.map(markupOf).join('');
  return `<${tag}${written.join('')}>${inside}</${tag}>`;
}

function svgName(name: string): string {
  return name === 'className' ? 'class' : name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function titleOf(title: string | undefined): string {
  return title === undefined ? '' : `<title>${escaped(title)}</title>`;
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#x27;' };

function escaped(value: string | number): string {
  return String(value).replaceAll(/[&<>"']/g, (character) => ENTITIES[character]!);
}
