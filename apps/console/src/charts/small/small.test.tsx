import { describe, expect, it } from '@jest/globals';
import { screen } from '@testing-library/react';
import { DeviationBar, IndexDot, Sparkline, Strip } from './small-charts';
import { Spectrum } from './spectrum';
import { renderComponent } from '../../testing/render.fixture';

const LIMITS = { nominal: 20, lowerTolerance: 19.95, upperTolerance: 20.05 };

describe('small charts', () => {
  it('say how far a value is from nominal', async () => {
    await renderComponent(<DeviationBar value={20.025} limits={LIMITS} status="inLimits" />);
    expect(screen.getByRole('img', { name: '+50 % of the tolerance' })).toBeDefined();
  });
  it('draw no bar without a tolerance', async () => {
    await renderComponent(<DeviationBar value={20.025} limits={{}} status="inLimits" />);
    expect(screen.queryByRole('img')).toBeNull();
  });
  it('say a capability index and the wanted one', async () => {
    await renderComponent(<IndexDot value={0.94} />);
    expect(screen.getByRole('img', { name: '0.94, wanted 1.33' })).toBeDefined();
  });
  it('draw the course of the last values', async () => {
    await renderComponent(<Sparkline values={[20, 20.01, 20.02]} limits={LIMITS} />);
    expect(screen.getByRole('img', { name: 'Course of the last values in the tolerance' })).toBeDefined();
  });
  it.each([
    ['above', [20, 20.2, 20.3, 20], 'l-2.5 4h5z'],
    ['below', [20, 19.5, 20], 'l-2.5 -4h5z'],
  ])('point with an arrow to values far %s', async (_, values, arrow) => {
    await renderComponent(<Sparkline values={values} limits={LIMITS} />);
    const paths = [...screen.getByRole('img').querySelectorAll('path')].map((path) => path.getAttribute('d'));
    expect(paths.some((path) => path?.includes(arrow))).toBe(true);
  });
  it('point nowhere where all values are drawn', async () => {
    await renderComponent(<Sparkline values={[1, 5, 3]} limits={{}} />);
    expect(screen.getByRole('img').innerHTML).not.toContain('clipped');
  });
  it('count the statuses of a part', async () => {
    await renderComponent(<Strip statuses={['inLimits', 'outOfTolerance']} width={100} />);
    expect(screen.getByRole('img', { name: /1 out of tolerance, 0 beyond a warning limit, 1 in limits/ })).toBeDefined();
  });
  it('take no more elements for 100,000 characteristics than for pixels', async () => {
    const statuses = Array.from({ length: 100_000 }, () => 'inLimits' as const);
    await renderComponent(<Spectrum groups={[{ name: 'Frame', statuses }]} width={1144} />);
    expect(screen.getByRole('img').querySelectorAll('*').length).toBeLessThan(50);
  });
});
