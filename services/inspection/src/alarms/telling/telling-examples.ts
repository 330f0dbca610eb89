import type { AlarmDelivery, AlarmReceiverChoice, AlarmSubscription } from '@sinebar/contracts';
import { PART_UUID } from '../../shared/documentation.ts';

const CONTENT = {
  partPath: '/Pump',
  kinds: ['tolerance', 'rule'],
  digest: { at: ['06:00', '14:00'] },
  quietHours: { from: '22:00', to: '05:30' },
  language: 'en',
} as const satisfies Partial<AlarmSubscription>;

const SHARED = { ...CONTENT, kinds: [...CONTENT.kinds], digest: { at: [...CONTENT.digest.at] } };

export const SUBSCRIPTION_BODY = { receiver: { kind: 'email', address: 'ada@example.com' }, ...SHARED } as const;

export const SUBSCRIPTION_EXAMPLE: AlarmSubscription = {
  uuid: '7f1c2b2e-6b1c-4b27-9d0e-54c1f2a7b011',
  ...SUBSCRIPTION_BODY,
  partUuid: PART_UUID,
  own: true,
  user: 'ada',
  time: '2026-03-02T06:00:00.000Z',
};

export const NEW_SUBSCRIPTION_EXAMPLE: AlarmSubscription = {
  ...SUBSCRIPTION_EXAMPLE,
  receiver: {
    kind: 'webhook',
    url: 'https://example.com/alarms',
    shape: 'standard',
    secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=',
  },
};

export const RECEIVER_CHOICE_EXAMPLE: AlarmReceiverChoice = {
  any: false,
  ownAddress: 'ada@example.com',
  mailDomains: ['example.com'],
  mail: true,
  links: true,
  zone: 'Europe/Berlin',
};

export const DELIVERY_EXAMPLE: AlarmDelivery = {
  uuid: '7f1c2b2e-6b1c-4b27-9d0e-54c1f2a7b012',
  subscriptionUuid: SUBSCRIPTION_EXAMPLE.uuid,
  state: 'waiting',
  receiver: { kind: 'webhook', to: 'https://example.com' },
  test: false,
  alarms: 1,
  alarmUuids: ['7f1c2b2e-6b1c-4b27-9d0e-54c1f2a7b013'],
  created: '2026-03-02T06:00:00.000Z',
  tries: 1,
  lastTry: '2026-03-02T06:00:00.100Z',
  nextTry: '2026-03-02T06:00:05.100Z',
  answer: 'The receiver answered 503.',
};
