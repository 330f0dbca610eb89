import { describe, expect, it } from '@jest/globals';
import { moveBy, rowTyped, visibleRows, worstOf, type PlanNode } from './plan-rows';

/** Counts of newest statuses, 0 where none is given. */
const statusesWith = (now: Partial<PlanNode['statuses']['now']> = {}): PlanNode['statuses'] => ({
  now: { inLimits: 0, inWarning: 0, belowTolerance: 0, aboveTolerance: 0, noLimits: 0, noData: 0, ...now },
  process: { capable: 0, uncertain: 0, notCapable: 0, notStable: 0, unknown: 0 },
});
const node = (name: string, more: Partial<PlanNode> = {}): PlanNode => ({
  kind: 'part',
  uuid: name,
  name,
  hasChildren: false,
  characteristics: 0,
  statuses: statusesWith(),
  ...more,
});
const CHILDREN: Record<string, PlanNode[]> = {
  root: [node('Door', { hasChildren: true }), node('Bonnet')],
  Door: [node('Frame', { hasChildren: true }), node('Gap', { kind: 'characteristic' })],
};
const rowsWith = (...open: string[]) =>
  visibleRows(
    'root',
    (uuid) => CHILDREN[uuid],
    (uuid) => open.includes(uuid),
  );

describe('rows of the plan', () => {
  it('are those of the open levels, in plan order', () => {
    expect(rowsWith('Door').map(({ node: { name }, level }) => `${level} ${name}`)).toEqual(['1 Door', '2 Frame', '2 Gap', '1 Bonnet']);
  });

  it('give a characteristic the part that it belongs to', () => {
    expect(rowsWith('Door').find(({ node: { name } }) => name === 'Gap')?.partUuid).toBe('Door');
  });

  it('say their place among their siblings', () => {
    expect(rowsWith('Door')[2]).toMatchObject({ position: 2, siblings: 2 });
  });

  it('stay closed while their children are not known', () => {
    expect(rowsWith('Frame').map(({ node: { name } }) => name)).toEqual(['Door', 'Bonnet']);
  });
});

describe('a key in the plan', () => {
  const rows = rowsWith('Door');
  it.each([
    ['ArrowDown', 0, { to: 1 }],
    ['ArrowDown', 3, { to: 3 }],
    ['ArrowUp', 0, { to: 0 }],
    ['End', 0, { to: 3 }],
    ['Home', 3, { to: 0 }],
    ['ArrowRight', 1, { open: 'Frame' }],
    ['ArrowRight', 0, { to: 1 }],
    ['ArrowRight', 3, undefined],
    ['ArrowLeft', 0, { close: 'Door' }],
    ['ArrowLeft', 2, { to: 0 }],
    ['x', 0, undefined],
  ])('%s on row %i', (key, at, move) => {
    expect(moveBy(key, rows, at)).toEqual(move);
  });

  it('finds the next name that begins with the letters', () => {
    expect(rowTyped('b', rows, 0)).toBe(3);
  });

  it('goes round to the first again', () => {
    expect(rowTyped('d', rows, 2)).toBe(0);
  });
});

describe('the light of a row', () => {
  it.each([
    [{ inLimits: 3, inWarning: 2, aboveTolerance: 1 }, 'outOfTolerance'],
    [{ inLimits: 3, belowTolerance: 1 }, 'outOfTolerance'],
    [{ inLimits: 3, inWarning: 2 }, 'inWarning'],
    [{ inLimits: 3, noData: 9 }, 'inLimits'],
    [{ inLimits: 1, noLimits: 3 }, 'inLimits'],
    [{ noLimits: 3, noData: 9 }, 'noLimits'],
    [{ noData: 9 }, 'noData'],
  ])('of %j is %s', (statuses, light) => {
    expect(worstOf(statusesWith(statuses))).toBe(light);
  });
});
