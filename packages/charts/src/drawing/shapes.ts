/** A chart in pixels of the screen: text in it never gets smaller than it is written. */
export interface Drawing {
  readonly width: number;
  readonly height: number;
  /** Says what is drawn, for those who do not see it. */
  readonly label: string;
  readonly shapes: readonly Shape[];
}

/** A piece of a drawing. Its role says what it means, such as `tolerance`; whoever shows it gives the role a colour. */
export type Shape = Group | Path | Circle | Area | Text;

export interface Group {
  readonly kind: 'group';
  readonly role?: string;
  readonly shapes: readonly Shape[];
  /** A tool tip. */
  readonly title?: string;
  /** Origin of the shapes, and factor of their sizes; without it they are placed as all others. */
  readonly origin?: { readonly x: number; readonly y: number; readonly scale: number };
}

export interface Path {
  readonly kind: 'path';
  readonly role?: string;
  /** Commands of an SVG path. */
  readonly d: string;
  readonly strokeWidth?: number;
  /** Whether inner outlines are holes. */
  readonly hasHoles?: boolean;
}

export interface Circle {
  readonly kind: 'circle';
  readonly role?: string;
  readonly x: number;
  readonly y: number;
  readonly radius: number;
}

/** An invisible rectangle within which the pointer finds the tool tip of its group. */
export interface Area {
  readonly kind: 'area';
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface Text {
  readonly kind: 'text';
  readonly x: number;
  readonly y: number;
  /** Roles, divided by blanks: of the text, `heavy`, and `halo` where it stands on lines. */
  readonly role: string;
  readonly anchor: 'start' | 'middle' | 'end';
  readonly text: string;
}

/** Shapes in their order; what is false or undefined is not drawn. */
export type Drawn = Shape | readonly Drawn[] | false | undefined;

export function shapesOf(drawn: Drawn): Shape[] {
  if (drawn === false || drawn === undefined) return [];
  return isShape(drawn) ? [drawn] : drawn.flatMap(shapesOf);
}

function isShape(drawn: Shape | readonly Drawn[]): drawn is Shape {
  return !Array.isArray(drawn);
}

export function group(drawn: Drawn, about: Omit<Group, 'kind' | 'shapes'> = {}): Group {
  return { kind: 'group', ...about, shapes: shapesOf(drawn) };
}

export function path(role: string | undefined, d: string, about: Pick<Path, 'strokeWidth' | 'hasHoles'> = {}): Path {
  return { kind: 'path', ...(role !== undefined && { role }), ...about, d };
}

export function circle(role: string | undefined, x: number, y: number, radius: number): Circle {
  return { kind: 'circle', ...(role !== undefined && { role }), x, y, radius };
}

export function area(x: number, y: number, width: number, height: number): Area {
  return { kind: 'area', x, y, width, height };
}
