import { markedPathOf, storedPathOf, type EventCase } from '@sinebar/testing';
import type { ChangeEnvelope, EventName } from '@sinebar/contracts';
import { change } from './test-changes.fixture.ts';

/** Builds a message with one event as services publish it; the filter reads only payloads of moves. */
export function caseMessage(event: EventName, where: string): ChangeEnvelope {
  const [from = '', to] = where.split(' -> ');
  if (to === undefined) return change(event, storedPathOf(from), [{ Uuid: 'x' } as never]);
  const payload = { Uuid: 'x', FromPath: markedPathOf(from), ToPath: markedPathOf(to) };
  return change(event, storedPathOf(to), [payload as never], { sinebaroldpath: storedPathOf(from) });
}

/** Returns the payloads of {@link caseMessage} that the user of the case receives. */
export function expectedPayloads(event: EventName, where: string, reach: EventCase[3]): { FromPath?: string; ToPath?: string }[] {
  const [from = '', to = ''] = where.split(' -> ').map((itemPath) => (itemPath === '' ? '' : markedPathOf(itemPath)));
  const moved = { 'the old path': { FromPath: from, ToPath: '' }, 'the new path': { FromPath: '', ToPath: to } };
  if (reach === 'nothing') return [];
  return reach === 'all' ? (caseMessage(event, where).data.events as object[]) : [{ Uuid: 'x', ...moved[reach] } as object];
}
