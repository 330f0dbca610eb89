import type { Drawing, Locale } from '@sinebar/charts';
import type { ReactNode, SVGProps } from 'react';
import { Shapes, type Classes } from '../../design/drawing/shapes';
import { useLocale } from '../../design/language/language';
import glyphs from '../../design/status/glyph.module.css';
import styles from './drawing.module.css';

export interface FigureProps extends SVGProps<SVGSVGElement> {
  drawing: Drawing;
  /** Looks of roles that only this chart has. */
  sheet?: Classes;
}

/** Shows a drawing of the charts package, with its children above it. */
export function Figure({ drawing, sheet = {}, children, className, ...rest }: FigureProps) {
  const { width, height, label, shapes } = drawing;
  return (
    <svg
      role="img"
      aria-label={label}
      {...rest}
      className={[styles.figure, className].filter(Boolean).join(' ')}
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
    >
      <Shapes of={shapes} sheets={[sheet, styles, glyphs]} />
      {children}
    </svg>
  );
}

/** Makes the component of a chart. */
export function chartOf<Input extends object>(draw: (input: Input, locale: Locale) => Drawing | undefined, sheet?: Classes) {
  return function Chart(props: Input & { children?: ReactNode }) {
    const drawing = draw(props, useLocale());
    return (
      drawing && (
        <Figure drawing={drawing} sheet={sheet}>
          {props.children}
        </Figure>
      )
    );
  };
}
