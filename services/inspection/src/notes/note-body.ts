import { uuidParameter } from '@sinebar/http';
import { z } from 'zod';
import { wholeNumber } from '../configuration/configuration-schemas.ts';
import { MAX_ENTRY_KEY } from '../configuration/attribute-values.ts';
import { strictMembers, textMember, timeMember } from '../shared/body-members.ts';

/** What a note says, and of which measurement or time. */
export interface NoteContent {
  text: string;
  cause?: number | undefined;
  measurementUuid?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

/** The item that a note is about. */
export type NoteTarget = { kind: 'part' | 'characteristic'; uuid: string };

/** The content of a POST. */
export interface NewNote {
  target: NoteTarget;
  content: NoteContent;
  uuid?: string | undefined;
  time?: string | undefined;
}

const contentShape = {
  text: textMember().refine((text) => text.trim() !== '', 'is empty'),
  cause: wholeNumber(0, MAX_ENTRY_KEY).optional(),
  measurementUuid: uuidParameter.optional(),
  from: timeMember.optional(),
  to: timeMember.optional(),
};

function checkTime({ measurementUuid, from, to }: Omit<NoteContent, 'text'>, context: z.RefinementCtx): void {
  const refuse = (message: string, path: string[]) => context.addIssue({ code: 'custom', message, path });
  if (measurementUuid !== undefined && (from ?? to) !== undefined)
    refuse('does not go together with measurementUuid: a note is about a measurement or a time', [from === undefined ? 'to' : 'from']);
  else if (to !== undefined && from === undefined) refuse('needs from', ['to']);
  else if (from !== undefined && to !== undefined && from > to) refuse('must not be before from', ['to']);
}

/** Body of a POST. */
export const newNoteBody = strictMembers({
  ...contentShape,
  partUuid: uuidParameter.optional(),
  characteristicUuid: uuidParameter.optional(),
  uuid: uuidParameter.optional(),
  time: timeMember.optional(),
}).transform(({ partUuid, characteristicUuid, uuid, time, ...content }, context): NewNote => {
  checkTime(content, context);
  // The part of a characteristic may be sent back.
  const target = characteristicUuid ?? partUuid;
  if (target === undefined) {
    context.addIssue({ code: 'custom', message: 'needs partUuid or characteristicUuid' });
    return z.NEVER;
  }
  return { target: { kind: characteristicUuid === undefined ? 'part' : 'characteristic', uuid: target }, content, uuid, time };
});

/** Members of a note that a PUT may send back and that it does not change. */
const KEPT = ['uuid', 'partUuid', 'characteristicUuid', 'causeText', 'user', 'time', 'modifiedBy', 'modified'] as const;

/** Body of a PUT. */
export const changedNoteBody = strictMembers({
  ...contentShape,
  ...(Object.fromEntries(KEPT.map((name) => [name, z.unknown().optional()])) as Record<(typeof KEPT)[number], z.ZodOptional<z.ZodUnknown>>),
}).transform(({ text, cause, measurementUuid, from, to }, context): NoteContent => {
  const content = { text, cause, measurementUuid, from, to };
  checkTime(content, context);
  return content;
});
