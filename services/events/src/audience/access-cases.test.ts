import { readPolicy } from '@sinebar/access-control';
import { EVENT_CASES, policyOf, ROLE_OF_CASES } from '@sinebar/testing';
import { describe, expect, it } from '@jest/globals';
import { caseMessage, expectedPayloads } from '../event-cases.fixture.ts';
import { Audience, payloadsFor } from './audience.ts';
import { readRightsOf } from './visibility.ts';

describe('the table of cases, by the filter of sockets and of the feed', () => {
  it.each(EVENT_CASES)('with %s: %s, %s: %s [I169, D7.3, D8.4]', (who, event, where, reach) => {
    const principal = readPolicy(policyOf(who)).principalOf({ name: who, password: '', roles: [ROLE_OF_CASES] });
    const message = caseMessage(event, where);
    const expected = expectedPayloads(event, where, reach);

    const audience = new Audience();
    const room = audience.enter(principal, []);
    expect(audience.deliveries(message)).toEqual(expected.length === 0 ? [] : [{ rooms: [room], payloads: expected }]);
    expect(payloadsFor(message, readRightsOf(principal), [])).toEqual(expected);
  });
});
