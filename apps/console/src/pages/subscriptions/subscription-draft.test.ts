import { describe, expect, it } from '@jest/globals';
import type { AlarmReceiverChoice, AlarmSubscription } from '@sinebar/client';
import { contentOf, draftOf, draftProblem, newDraft, receiverKinds } from './subscription-draft';

const ANY: AlarmReceiverChoice = { any: true, ownAddress: 'ann@plant.example', mailDomains: [], mail: true, links: true, zone: 'UTC' };
const NARROW: AlarmReceiverChoice = { any: false, mailDomains: ['plant.example'], mail: true, links: true, zone: 'UTC' };
const STORED: AlarmSubscription = {
  uuid: 's',
  receiver: { kind: 'webhook', url: 'https://hooks.example.com', shape: 'teams' },
  partUuid: 'p',
  partPath: '/Car door',
  kinds: ['tolerance', 'process'],
  escalateAfterMinutes: 45,
  digest: { at: ['06:00', '14:00'] },
  quietHours: { from: '22:00', to: '06:00' },
  language: 'de',
  own: true,
  time: '2026-03-02T08:00:00.000Z',
};

describe('the draft of a subscription', () => {
  it('is that of one that is read, and becomes the same again', () => {
    const { uuid: _1, partUuid: _2, own: _3, time: _4, ...content } = STORED;
    expect(contentOf(draftOf(STORED, ANY), ANY)).toEqual(content);
    const ofOwn = { ...STORED, receiver: { kind: 'email' as const, address: 'ann@plant.example' }, digest: { everyMinutes: 15 } };
    expect(draftOf(ofOwn, ANY).receiver).toBe('own');
    expect(contentOf(draftOf(ofOwn, ANY), ANY)).toMatchObject({ receiver: ofOwn.receiver, digest: { everyMinutes: 15 } });
  });

  it('tells the own address about everything at once, unless the reader says otherwise', () => {
    expect(contentOf(newDraft(ANY, 'en'), ANY)).toEqual({
      receiver: { kind: 'email', address: 'ann@plant.example' },
      partPath: '/',
      kinds: ['tolerance', 'plausibility', 'rule', 'process', 'silence'],
      language: 'en',
    });
  });

  it('has a secret only where messages are signed', () => {
    const draft = { ...newDraft(ANY, 'en'), receiver: 'webhook' as const, url: ' https://example.com/a ', secret: 'whsec_x' };
    expect(contentOf(draft, ANY).receiver).toEqual({ kind: 'webhook', url: 'https://example.com/a', shape: 'standard', secret: 'whsec_x' });
    expect(contentOf({ ...draft, shape: 'slack' }, ANY).receiver).toEqual({
      kind: 'webhook',
      url: 'https://example.com/a',
      shape: 'slack',
    });
  });

  it('offers the receivers that the reader may name', () => {
    expect(receiverKinds(ANY)).toEqual(['own', 'email', 'webhook']);
    expect(receiverKinds(NARROW)).toEqual(['email']);
    expect(receiverKinds({ ...NARROW, mailDomains: [] })).toEqual([]);
  });

  it.each([
    ['needsAddress', { receiver: 'email', address: 'ann' }],
    ['otherDomain', { receiver: 'email', address: 'ann@example.com' }],
    [undefined, { receiver: 'email', address: 'ann@Plant.example' }],
    ['needsUrl', { receiver: 'webhook', url: 'ftp://example.com' }],
    ['needsKind', { kinds: [] }],
    ['wrongEscalation', { when: 'escalated', escalateAfterMinutes: '0' }],
    ['wrongEvery', { how: 'every', everyMinutes: '4' }],
    ['wrongTimes', { how: 'at', times: '6:00, 25:00' }],
    [undefined, { how: 'at', times: '6:00; 14:00' }],
    ['wrongQuietHours', { hasQuietHours: true, quietTo: '22:00' }],
  ] as const)('has the problem %s with %j', (problem, change) => {
    const draft = { ...newDraft(NARROW, 'en'), address: 'ann@plant.example', ...change };
    expect(draftProblem(draft, NARROW)).toBe(problem);
  });
});
