import type { Note } from '@sinebar/contracts';
import { CHARACTERISTIC_UUID, PART_UUID } from '../shared/documentation.ts';

const CONTENT = {
  measurementUuid: '8f1c2b2e-6b1c-4b27-9d0e-54c1f2a7b001',
  text: 'The insert was worn out and was changed after this value.',
  cause: 3,
};

export const NOTE_EXAMPLE: Note = {
  uuid: '6f1c2b2e-6b1c-4b27-9d0e-54c1f2a7b002',
  partUuid: PART_UUID,
  characteristicUuid: CHARACTERISTIC_UUID,
  ...CONTENT,
  causeText: 'tool worn',
  user: 'ada',
  time: '2026-03-02T06:00:00.000Z',
};

export const NEW_NOTE_BODY = { characteristicUuid: CHARACTERISTIC_UUID, ...CONTENT };
export const CHANGED_NOTE_BODY = CONTENT;
