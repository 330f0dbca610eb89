import { PathScope } from '@sinebar/access-control';
import { noteListSchema, noteSchema } from '@sinebar/contracts';
import { answers, defineRoute, reply, uuidParameter, type Route } from '@sinebar/http';
import { z } from 'zod';
import { CACHE_CONDITION, cachedAnswers, CHANGE_CONDITION, CHANGED, CHARACTERISTIC_UUID, PART_UUID } from '../shared/documentation.ts';
import { partPathParameter, timeParameter, wholeNumberParameter } from '../shared/parameters.ts';
import { callerOf } from '../shared/request-context.ts';
import { replyText } from '../shared/answers/text-etag.ts';
import { changedNoteBody, newNoteBody } from './note-body.ts';
import { CHANGED_NOTE_BODY, NEW_NOTE_BODY, NOTE_EXAMPLE } from './note-examples.ts';
import type { NoteService } from './note-service.ts';

const TAG = 'Notes';
const PATH = '/analysisServiceRest/notes';
const DEFAULT_LIMIT = 1000;
const MAX_LIMIT = 10_000;
const MAX_OFFSET = 999_999_999;

const noteAddress = z.object({ uuid: uuidParameter });
const parameters = { uuid: { description: 'Uuid of the note', example: NOTE_EXAMPLE.uuid } };

const noteSelection = z.object({
  partUuid: uuidParameter.optional(),
  characteristicUuid: uuidParameter.optional(),
  partPath: partPathParameter.optional(),
  from: timeParameter.optional(),
  to: timeParameter.optional(),
  limitResult: wholeNumberParameter(1, MAX_LIMIT).default(DEFAULT_LIMIT),
  offset: wholeNumberParameter(0, MAX_OFFSET).default(0),
});

/** Notes about parts and characteristics, their measurements and times. */
export function noteRoutes(service: NoteService): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: PATH,
      permission: 'measurement:read',
      deadline: 'read',
      knowsAllParameters: true,
      documentation: {
        tag: TAG,
        summary: 'List notes',
        description:
          'Lists the newest first, those of parts whose measurements the caller may read. Without a time of its own, a note is about the time of its measurement, else that at which it was written.',
        parameters: {
          partUuid: { description: 'Only notes about this part itself', example: PART_UUID },
          characteristicUuid: { description: 'Only notes about this characteristic', example: CHARACTERISTIC_UUID },
          partPath: { description: 'Only notes about this part and everything below it', example: '/Pump' },
          from: { description: 'Only notes about a time that ends here or later', example: '2026-03-02T00:00:00Z' },
          to: { description: 'Only notes about a time that begins earlier', example: '2026-03-09T00:00:00Z' },
          limitResult: { description: `Most notes, at most ${MAX_LIMIT}; by default ${DEFAULT_LIMIT}`, example: '100' },
          offset: { description: 'Newer notes that are left out', example: '0' },
        },
        headers: CACHE_CONDITION,
        responses: cachedAnswers('The notes', noteListSchema, [NOTE_EXAMPLE]),
        errors: ['NotFound'],
      },
      query: noteSelection,
      handle: async (request) => {
        const { partPath, limitResult, ...selection } = request.query;
        const below = partPath === undefined ? undefined : PathScope.below(partPath);
        return replyText(
          request.headers['if-none-match'],
          await service.list({ ...selection, below, limit: limitResult }, callerOf(request)),
        );
      },
    }),
    defineRoute({
      method: 'POST',
      path: PATH,
      permission: 'note:write',
      deadline: 'write',
      documentation: {
        tag: TAG,
        summary: 'Write a note',
        description:
          'A note is about a part or a characteristic, and about one of the measurements of the part, a time, or neither. `uuid` and `time` may be given; the time is then not in the future.',
        body: { description: 'The note', example: NEW_NOTE_BODY },
        responses: {
          201: { ...answers.json('The note as it is stored', noteSchema, NOTE_EXAMPLE), headers: CHANGED.headers },
        },
        errors: ['NotFound', 'AlreadyExists'],
      },
      body: newNoteBody,
      handle: async (request) => {
        const { text, etag } = await service.create(request.body, callerOf(request));
        return { ...reply.text(text, { ETag: etag }), status: 201 };
      },
    }),
    defineRoute({
      method: 'GET',
      path: `${PATH}/:uuid`,
      permission: 'measurement:read',
      deadline: 'read',
      // The validator is also a condition of changes, so it must not depend on a coding.
      contentCoding: 'identity',
      documentation: {
        tag: TAG,
        parameters,
        summary: 'Read a note',
        headers: CACHE_CONDITION,
        responses: cachedAnswers('The note', noteSchema, NOTE_EXAMPLE),
        errors: ['NotFound'],
      },
      params: noteAddress,
      handle: async (request) => replyText(request.headers['if-none-match'], await service.read(request.params.uuid, callerOf(request))),
    }),
    defineRoute({
      method: 'PUT',
      path: `${PATH}/:uuid`,
      permission: 'note:write',
      deadline: 'write',
      documentation: {
        tag: TAG,
        parameters,
        summary: 'Change a note',
        description:
          'Replaces text, cause, and measurement or time. A note stays with its part or characteristic, and keeps who wrote it when.',
        headers: CHANGE_CONDITION,
        body: { description: 'The note; members that a change does not concern may be sent back', example: CHANGED_NOTE_BODY },
        responses: {
          200: { ...answers.json('The note as it is stored', noteSchema, NOTE_EXAMPLE), headers: CHANGED.headers },
        },
        errors: ['NotFound', 'PreconditionFailed'],
      },
      params: noteAddress,
      body: changedNoteBody,
      handle: async (request) => {
        const { text, etag } = await service.update(request.params.uuid, request.body, callerOf(request));
        return reply.text(text, { ETag: etag });
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: `${PATH}/:uuid`,
      deletes: 'item',
      permission: 'note:write',
      deadline: 'write',
      documentation: {
        tag: TAG,
        parameters,
        summary: 'Delete a note',
        headers: CHANGE_CONDITION,
        responses: { 200: answers.done },
        errors: ['NotFound', 'PreconditionFailed'],
      },
      params: noteAddress,
      handle: async (request) => {
        await service.delete(request.params.uuid, callerOf(request));
        return reply.empty(200);
      },
    }),
  ];
}
