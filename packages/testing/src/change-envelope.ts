import { randomUUID } from 'node:crypto';
import type { ChangeEnvelope, EventName } from '@sinebar/contracts';

/** A valid change event of a part with a new uuid; `fields` win over what is made here. */
export function changeEnvelope<N extends EventName>(
  fields: Pick<ChangeEnvelope<N>, 'type' | 'data'> & Partial<ChangeEnvelope<N>>,
): ChangeEnvelope<N> {
  const part = fields.sinebarpart ?? randomUUID();
  return {
    specversion: '1.0',
    id: randomUUID(),
    source: '/inspection',
    time: new Date().toISOString(),
    subject: part,
    datacontenttype: 'application/json',
    sinebarpath: `p${part}/`,
    sinebarpart: part,
    ...fields,
  };
}
