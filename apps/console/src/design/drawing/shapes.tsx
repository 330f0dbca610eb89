import { elementOf, type Shape } from '@sinebar/charts';
import { createElement } from 'react';

/** Class names of a style sheet by the roles of shapes. */
export type Classes = Readonly<Record<string, string | undefined>>;

/** Shows shapes as elements of SVG. @param sheets the first that has a class for a role gives its look */
export function Shapes({ of, sheets }: { of: readonly Shape[]; sheets: readonly Classes[] }) {
  return of.map((shape, key) => {
    const { tag, attributes, content } = elementOf(shape);
    const classes = attributes.className === undefined ? {} : { className: classesOf(String(attributes.className), sheets) };
    const inside =
      typeof content === 'object' ? (
        <>
          {content.title !== undefined && <title>{content.title}</title>}
          <Shapes of={content.shapes} sheets={sheets} />
        </>
      ) : (
        content
      );
    return createElement(tag, { ...attributes, ...classes, key }, inside);
  });
}

function classesOf(roles: string, sheets: readonly Classes[]): string {
  return roles
    .split(' ')
    .map((role) => sheets.find((sheet) => sheet[role] !== undefined)?.[role] ?? '')
    .join(' ');
}
