import { describe, expect, it } from '@jest/globals';
import { EVERYONE, PathScope, type Principal } from '@sinebar/access-control';
import { measurementsCreated, partCreated, partMoved, reader } from '../test-changes.fixture.ts';
import { Audience } from './audience.ts';
import { parseFilter } from './event-filter.ts';

describe('audience', () => {
  it('asks for rights once per distinct set of rights, however many clients come', () => {
    let asked = 0;
    const counted = (): Principal => ({
      ...reader('same', { plan: PathScope.EVERYTHING }),
      scopeOf: () => (asked++, PathScope.EVERYTHING),
    });
    const audience = new Audience();
    for (let i = 0; i < 50; i += 1) audience.enter(counted(), []);
    for (let i = 0; i < 50; i += 1) audience.deliveries(partCreated(String(i)));
    expect(asked).toBe(3);
  });

  it('puts clients with the same rights and filters into one room, others into others', () => {
    const audience = new Audience();
    const all = audience.enter(EVERYONE, []);
    expect(audience.enter(EVERYONE, [])).toBe(all);
    const narrowed = audience.enter(EVERYONE, [parseFilter({ events: ['PartCreated'] })]);
    const someone = audience.enter(reader('someone', { plan: PathScope.below('pa/') }), []);
    expect(new Set([all, narrowed, someone]).size).toBe(3);
    expect(
      audience
        .deliveries(partCreated('1', 'pa/'))
        .flatMap(({ rooms }) => rooms)
        .sort(),
    ).toEqual([all, narrowed, someone].sort());
    expect(audience.deliveries(measurementsCreated(['1'], 'pa/')).flatMap(({ rooms }) => rooms)).toEqual([all]);
    expect(
      audience
        .deliveries(partCreated('1', 'pb/'))
        .flatMap(({ rooms }) => rooms)
        .sort(),
    ).toEqual([all, narrowed].sort());
  });

  it('removes a room when its last client leaves', () => {
    const audience = new Audience();
    audience.enter(EVERYONE, []);
    audience.enter(EVERYONE, []);
    audience.leave(EVERYONE, []);
    expect(audience.deliveries(partCreated('1'))).toHaveLength(1);
    audience.leave(EVERYONE, []);
    expect(audience.deliveries(partCreated('1'))).toEqual([]);
    audience.leave(EVERYONE, []);
    expect(audience.deliveries(partCreated('1'))).toEqual([]);
  });

  it('sends each receiver of a move its own view, with at most one delivery per view [I179]', () => {
    const audience = new Audience();
    const both = audience.enter(EVERYONE, []);
    const from1 = audience.enter(reader('f1', { plan: PathScope.below('pa/') }), []);
    const from2 = audience.enter(reader('f2', { plan: PathScope.below('pa/x/') }), []);
    const to = audience.enter(reader('t', { plan: PathScope.below('pb/') }), []);
    audience.enter(reader('none', { measurement: PathScope.EVERYTHING, rawData: PathScope.EVERYTHING }), []);
    expect(audience.deliveries(partMoved('pa/x/', 'pb/x/'))).toEqual([
      { rooms: [both], payloads: [{ PartUuid: 'moved', FromPath: 'P:/pa/x/', ToPath: 'P:/pb/x/' }] },
      { rooms: [from1, from2], payloads: [{ PartUuid: 'moved', FromPath: 'P:/pa/x/', ToPath: '' }] },
      { rooms: [to], payloads: [{ PartUuid: 'moved', FromPath: '', ToPath: 'P:/pb/x/' }] },
    ]);
  });
});
