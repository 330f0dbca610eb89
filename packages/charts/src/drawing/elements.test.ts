import { describe, expect, it } from '@jest/globals';
import { svgOf } from './elements.ts';
import { area, group, path, type Drawing } from './shapes.ts';

const drawing = (shapes: Drawing['shapes'], label = 'Gap'): Drawing => ({ width: 20, height: 10, label, shapes });

describe('a drawing as a document of SVG', () => {
  it('has its size, its label and the role of the whole', () => {
    expect(svgOf(drawing([]), '')).toBe(
      '<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="Gap" class="figure" width="20" height="10" viewBox="0 0 20 10"></svg>',
    );
  });

  it('looks as the page does where no style sheet is given', () => {
    expect(svgOf(drawing([]))).toContain('.figure .outText { fill: #');
  });

  it('gives roles their looks by a style sheet', () => {
    expect(svgOf(drawing([path('trace', 'M0 0H9')]), '.trace { stroke: red; }')).toContain(
      '<style>.trace { stroke: red; }</style><path class="trace" d="M0 0H9"></path>',
    );
  });

  it('writes what names of characteristics may hold as text', () => {
    const written = svgOf(drawing([group(area(1, 2, 3, 4), { title: '5" & <b>' })], 'a "gap"'));
    expect(written).toContain('aria-label="a &quot;gap&quot;"');
    expect(written).toContain('<title>5&quot; &amp; &lt;b&gt;</title><rect x="1" y="2" width="3" height="4" fill-opacity="0"></rect>');
  });
});
