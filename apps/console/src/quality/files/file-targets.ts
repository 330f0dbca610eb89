import type { RawDataInformation } from '@sinebar/client';

/** Identifies a file: a key is unique only within its target. */
export function fileId({ target, key }: Pick<RawDataInformation, 'target' | 'key'>): string {
  return `${target.entity}/${target.uuid}/${key}`;
}

/** Uuid of the characteristic that a file of a value belongs to. */
export function characteristicOf({ target }: Pick<RawDataInformation, 'target'>): string | undefined {
  if (target.entity === 'Characteristic') return target.uuid;
  return target.entity === 'Value' ? target.uuid.split('|')[1] : undefined;
}

/** Uuid of the measurement that a file belongs to, directly or through a value. */
export function measurementOf({ target }: Pick<RawDataInformation, 'target'>): string | undefined {
  return target.entity === 'Measurement' || target.entity === 'Value' ? target.uuid.split('|')[0] : undefined;
}
