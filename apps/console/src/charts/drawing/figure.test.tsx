import { describe, expect, it } from '@jest/globals';
import { svgOf } from '@sinebar/charts';
import { renderToStaticMarkup } from 'react-dom/server';
import { CHARTS } from '../../../../../packages/charts/src/snapshots/charts.fixture';
import { Figure } from './figure';

describe('the page draws the same as a document of SVG', () => {
  it.each(Object.keys(CHARTS))('%s', (chart) => {
    for (const drawing of Object.values(CHARTS[chart]!.cases)) {
      if (drawing === undefined) continue;
      const onPage = renderToStaticMarkup(<Figure drawing={drawing} />);
      expect(onPage).toBe(svgOf(drawing, '').replace(' xmlns="http://www.w3.org/2000/svg"', ''));
    }
  });
});
