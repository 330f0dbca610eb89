import { CHARACTERISTIC_UUID, PART_UUID } from '../shared/documentation.ts';

export const TAGS = { part: 'Parts', characteristic: 'Characteristics' } as const;

/** Texts for every parameter of the plan routes; a route shows those that it takes. */
export const PLAN_PARAMETERS = {
  uuid: { description: 'Uuid, in any case, with or without braces', example: PART_UUID },
  partUuids: { description: 'Only these parts', example: `{${PART_UUID}}` },
  charUuids: { description: 'Only these characteristics; takes precedence over `partPath`', example: `{${CHARACTERISTIC_UUID}}` },
  partPath: { description: 'This part and what is below it, as far as `depth` says', example: '/Pump' },
  depth: { description: 'Levels below, 0 to 65535: 0 is the item itself', example: '1' },
  searchCondition: {
    description: 'Only items whose attributes fulfil this: `[key operator value]`, joined by `+`',
    example: '1001 In [P-4711]',
  },
  withHistory: { description: 'With earlier states, where the server keeps them; by default false', example: 'false' },
  requestedPartAttributes: {
    description: 'Attributes of parts in the answer: All, None or a list of keys; by default all',
    example: '{1001}',
  },
  requestedCharacteristicAttributes: {
    description: 'Attributes of characteristics in the answer: All, None or a list of keys; by default all',
    example: '{2101}',
  },
  versioningEnabled: {
    description: 'Whether the earlier state is kept, where the server leaves that to clients; by default false',
    example: 'false',
  },
};
