import { describe, expect, it } from '@jest/globals';
import { EVERYONE, PathScope } from '@sinebar/access-control';
import { EVENT_NAMES, EVENTS, type ChangeEnvelope, type EventName } from '@sinebar/contracts';
import { change, measurementsCreated, partCreated, partMoved, reader } from '../test-changes.fixture.ts';
import { readRightsOf, visiblePayloads, visibleSides } from './visibility.ts';

const seenBy = (envelope: ChangeEnvelope, principal: Parameters<typeof readRightsOf>[0]) => {
  const sides = visibleSides(envelope, readRightsOf(principal));
  return sides.current || sides.former ? visiblePayloads(envelope, sides) : [];
};

describe('who may see an event', () => {
  it.each([
    ['Part', 'plan:read'],
    ['Characteristic', 'plan:read'],
    ['Measurement', 'measurement:read'],
    ['RawData', 'rawData:read'],
  ])('names for each event of %s the right %s [I181, D7.1]', (entity, right) => {
    const ofEntity = EVENT_NAMES.filter((name) => name.startsWith(entity));
    expect(new Set(ofEntity.map((name) => EVENTS[name].readRight))).toEqual(new Set([right]));
  });

  it.each(['LaterAdded', 'constructor', '__proto__', ''])('hides an event with the unknown name "%s", also without sign-in', (name) => {
    const unknown = change(name as EventName, 'pa/', [{} as never]);
    expect(seenBy(unknown, EVERYONE)).toEqual([]);
  });

  it('checks the right of the kind of entity, not another one [I169]', () => {
    const planOnly = reader('plan', { plan: PathScope.below('pa/') });
    expect(seenBy(partCreated('1', 'pa/'), planOnly)).toHaveLength(1);
    expect(seenBy(measurementsCreated(['1'], 'pa/'), planOnly)).toEqual([]);
    const filesOnly = reader('files', { rawData: PathScope.below('pa/') });
    const upload = change('RawDataCreated', 'pa/', [{ RawDataEntity: 'Part', TargetUuid: 'x', Key: 0, Filename: 'a.txt' }]);
    expect(seenBy(upload, filesOnly)).toHaveLength(1);
    expect(seenBy(upload, planOnly)).toEqual([]);
  });

  it('sees a subtree and not a part whose name only begins alike, nor the parts above', () => {
    const who = reader('a', { plan: PathScope.below('pa/') });
    expect(seenBy(partCreated('1', 'pa/pb/'), who)).toHaveLength(1);
    expect(seenBy(partCreated('1', 'pab/'), who)).toEqual([]);
    expect(seenBy(partCreated('1', ''), who)).toEqual([]);
  });

  it.each([
    ['both sides', PathScope.below('pa/', 'pb/'), { FromPath: 'P:/pa/x/', ToPath: 'P:/pb/x/' }],
    ['the new side only', PathScope.below('pb/'), { FromPath: '', ToPath: 'P:/pb/x/' }],
    ['the old side only', PathScope.below('pa/'), { FromPath: 'P:/pa/x/', ToPath: '' }],
  ])('sends a move to whoever may read %s, with the other path empty [I169, I175, D7.3, D8.4]', (_, plan, paths) => {
    expect(seenBy(partMoved('pa/x/', 'pb/x/'), reader('r', { plan }))).toEqual([{ PartUuid: 'moved', ...paths }]);
  });

  it('sends a move to nobody who may read neither side', () => {
    expect(seenBy(partMoved('pa/x/', 'pb/x/'), reader('r', { plan: PathScope.below('pc/') }))).toEqual([]);
  });

  it('does not change the message that others get too', () => {
    const moved = partMoved('pa/x/', 'pb/x/');
    seenBy(moved, reader('r', { plan: PathScope.below('pb/') }));
    expect(seenBy(moved, EVERYONE)).toEqual([{ PartUuid: 'moved', FromPath: 'P:/pa/x/', ToPath: 'P:/pb/x/' }]);
  });
});
