import { describe, expect, it } from '@jest/globals';
import { outboxInsert, toEnvelopes } from './outbox.ts';

const TIME = new Date('2024-02-29T12:00:00.123Z');

describe('toEnvelopes', () => {
  it('gives a moved characteristic its identity, source and time', () => {
    const [envelope] = toEnvelopes(
      [
        {
          type: 'CharacteristicMoved',
          subject: 'c-1',
          path: 'pNew/cA/',
          oldPath: 'pOld/cA/',
          partUuid: 'p-new',
          oldPartUuid: 'p-old',
          events: [{ CharacteristicUuid: 'c-1', FromPath: '/Old/A', ToPath: '/New/A' }],
        },
      ],
      '/inspection',
      TIME,
    );
    expect(envelope).toEqual({
      specversion: '1.0',
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      source: '/inspection',
      type: 'CharacteristicMoved',
      time: '2024-02-29T12:00:00.123Z',
      subject: 'c-1',
      datacontenttype: 'application/json',
      sinebarpath: 'pNew/cA/',
      sinebaroldpath: 'pOld/cA/',
      sinebarpart: 'p-new',
      sinebaroldpart: 'p-old',
      data: { events: [{ CharacteristicUuid: 'c-1', FromPath: '/Old/A', ToPath: '/New/A' }] },
    });
  });

  it('leaves out unknown fields, and changes without payloads', () => {
    const envelopes = toEnvelopes(
      [
        { type: 'PartModified', subject: 'p', path: 'p/', partUuid: 'p', events: [] },
        { type: 'PartModified', subject: 'p', path: 'p/', partUuid: 'p', events: [{ PartUuid: 'p' }] },
      ],
      '/inspection',
      TIME,
    );
    expect(envelopes).toHaveLength(1);
    expect(Object.keys(envelopes[0] ?? {})).not.toContain('sinebaroldpath');
    expect(envelopes[0]?.data).not.toHaveProperty('removedCharacteristics');
  });
});

describe('outboxInsert', () => {
  it('refuses a message that exceeds the limit of every broker', () => {
    const envelopes = toEnvelopes(
      [{ type: 'PartModified', subject: 'p', path: 'ä'.repeat(500_000), partUuid: 'p', events: [{ PartUuid: 'p' }] }],
      '/inspection',
      TIME,
    );
    expect(() => outboxInsert(envelopes)).toThrow(/PartModified message of 1000\d\d\d bytes is too large/);
  });
});
