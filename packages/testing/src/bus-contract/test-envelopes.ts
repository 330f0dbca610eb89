import { randomUUID } from 'node:crypto';
import type { ChangeEnvelope } from '@sinebar/contracts';
import type { Bus, StreamMessage, StreamPosition } from '@sinebar/message-bus';

/** Makes a valid change event with a new part uuid and path; `label` is part of the path, to distinguish messages. */
export function testEnvelope(label: string | number = 0): ChangeEnvelope<'PartCreated'> {
  const part = randomUUID();
  return {
    specversion: '1.0',
    id: randomUUID(),
    source: '/inspection',
    type: 'PartCreated',
    time: new Date().toISOString(),
    subject: part,
    datacontenttype: 'application/json',
    sinebarpath: `p${label}/`,
    sinebarpart: part,
    data: { events: [{ PartUuid: part, ParentPartUuid: '00000000-0000-0000-0000-000000000000' }] },
  };
}

export function testEnvelopes(count: number): ChangeEnvelope<'PartCreated'>[] {
  return Array.from({ length: count }, (_, index) => testEnvelope(index));
}

export async function endOf(bus: Bus): Promise<StreamPosition> {
  const { epoch, lastSequence } = await bus.streamState();
  return { epoch, sequence: lastSequence };
}

export function idsOf(messages: readonly StreamMessage[]): string[] {
  return messages.map(({ envelope }) => envelope.id);
}

/** A promise that is resolved from outside, to block handlers. */
export class Gate {
  private readonly opened = Promise.withResolvers<void>();

  open(): void {
    this.opened.resolve();
  }

  async pass(): Promise<void> {
    await this.opened.promise;
  }
}
