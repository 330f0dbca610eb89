import { readPolicy } from '@sinebar/access-control';
import { EVENT_CASES, markedPathOf, pathOfPlace, policyOf, ROLE_OF_CASES } from '@sinebar/testing';
import { describe, expect, it } from '@jest/globals';
import type { ChangeEnvelope, EventName } from '@sinebar/contracts';
import { change } from '../../test-changes.test-case.js';
import { Audience, payloadsFor } from './audience.js';
import { readRightsOf } from './visibility.js';

/** A message about one event, as the services publish it; the filter does not look into payloads other than those of moves. */
function messageOf(event: EventName, where: string): ChangeEnvelope {
  const [from = '', to] = where.split(' -> ');
  if (to === undefined) return change(event, pathOfPlace(from), [{ Uuid: 'x' } as never]);
  const payload = { Uuid: 'x', FromPath: markedPathOf(from), ToPath: markedPathOf(to) };
  return change(event, pathOfPlace(to), [payload as never], { sinebaroldpath: pathOfPlace(from) });
}

describe('the table of cases, by the filter of sockets and of the feed', () => {
  it.each(EVENT_CASES)('with %s: %s, %s: %s', (who, event, where, reach) => {
    const principal = readPolicy(policyOf(who)).principalOf({ name: who, password: '', roles: [ROLE_OF_CASES] });
    const message = messageOf(event, where);
    const [from = '', to = ''] = where.split(' -> ').map((place) => (place === '' ? '' : markedPathOf(place)));
    const moved = { 'the old path': { FromPath: from, ToPath: '' }, 'the new path': { FromPath: '', ToPath: to } };
    const expected = reach === 'nothing' ? [] : reach === 'all' ? message.data.events : [{ Uuid: 'x', ...moved[reach] }];

    const audience = new Audience();
    const room = audience.enter(principal, []);
    expect(audience.deliveries(message)).toEqual(expected.length === 0 ? [] : [{ rooms: [room], payloads: expected }]);
    expect(payloadsFor(message, readRightsOf(principal), [])).toEqual(expected);
  });
});
