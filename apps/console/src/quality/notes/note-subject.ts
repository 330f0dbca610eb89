import type { Note } from '@sinebar/client';

/** What a new note may be about. */
export interface NoteSubject {
  readonly partUuid: string;
  readonly partName: string;
  /** Path of the part as rights take it, `/Car door/Frame`. */
  readonly partPath: string;
  readonly characteristic?: { readonly uuid: string; readonly name: string };
  /** A measurement, with its value or time as the reader knows it. */
  readonly measurement?: { readonly uuid: string; readonly text: string };
  /** The time that is in view. */
  readonly time?: { readonly from: string; readonly to?: string };
}

/** Which part of its item a note is about. */
export type NoteExtent = 'measurement' | 'time' | 'whole';

/** A note as it is written in a form. */
export interface NoteDraft {
  readonly isOfPart: boolean;
  readonly extent: NoteExtent;
  readonly measurementUuid: string | undefined;
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly text: string;
  readonly cause: number | undefined;
}

/** Longest text, in units of UTF-16 as the server counts them. */
export const MAX_TEXT = 4000;

export function newDraft({ characteristic, measurement, time }: NoteSubject): NoteDraft {
  return {
    isOfPart: characteristic === undefined,
    extent: measurement ? 'measurement' : time ? 'time' : 'whole',
    measurementUuid: measurement?.uuid,
    from: time?.from,
    to: time?.to,
    text: '',
    cause: undefined,
  };
}

/** Names the form of a note, or of a new note about an item. */
export function noteForm({ partUuid, characteristic }: NoteSubject, noteUuid: string | undefined): string {
  return noteUuid === undefined ? `new note about ${characteristic?.uuid ?? partUuid}` : `note ${noteUuid}`;
}

export function draftOf({ characteristicUuid, measurementUuid, from, to, text, cause }: Note): NoteDraft {
  const extent = measurementUuid !== undefined ? 'measurement' : from !== undefined ? 'time' : 'whole';
  return { isOfPart: characteristicUuid === undefined, extent, measurementUuid, from, to, text, cause };
}

/** What the server stores of a draft. */
export function contentOf({ extent, measurementUuid, from, to, text, cause }: NoteDraft) {
  return {
    text: text.trim(),
    ...(cause !== undefined && { cause }),
    ...(extent === 'measurement' && measurementUuid !== undefined && { measurementUuid }),
    ...(extent === 'time' && from !== undefined && { from, ...(to !== undefined && { to }) }),
  };
}

/** Why a draft cannot be saved. */
export type DraftProblem = 'needsText' | 'tooLong' | 'needsFrom' | 'wrongOrder';

export function draftProblem({ extent, from, to, text }: NoteDraft): DraftProblem | undefined {
  if (text.trim() === '') return 'needsText';
  if (text.trim().length > MAX_TEXT) return 'tooLong';
  if (extent !== 'time') return undefined;
  if (from === undefined) return 'needsFrom';
  return to !== undefined && Date.parse(to) < Date.parse(from) ? 'wrongOrder' : undefined;
}

/** Whether two drafts differ in what would be stored. */
export function isSameDraft(a: NoteDraft, b: NoteDraft): boolean {
  return a.isOfPart === b.isOfPart && JSON.stringify(contentOf(a)) === JSON.stringify(contentOf(b));
}
