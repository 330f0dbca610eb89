import { describe, expect, it } from '@jest/globals';
import { eventually } from '@sinebar/testing';
import { AnswerNotes } from './answer-notes.ts';
import { DocumentedAnswers, type ApiDocument, type SeenAnswer } from './documented-answers.ts';

const schemaOf = (schema: object) => ({
  content: { 'application/json': { schema } },
});
const part = {
  type: 'object',
  properties: { uuid: { type: 'string' } },
  required: ['uuid'],
  additionalProperties: false,
};
const document = {
  paths: {
    '/data/parts/{uuid}': {
      get: {
        responses: {
          200: schemaOf({ $ref: '#/components/schemas/Part' }),
          304: {},
        },
      },
      delete: { responses: { 200: {} } },
    },
    '/data/parts/all': {
      get: {
        responses: {
          200: schemaOf({
            type: 'array',
            items: { $ref: '#/components/schemas/Part' },
          }),
        },
      },
    },
    '/data/files/{key}/archiveContent/{name}': {
      get: {
        parameters: [{ name: 'key' }, { name: 'name', 'x-multi-segment': true }],
        responses: {
          200: { content: { '*/*': { schema: { type: 'string' } } } },
        },
      },
    },
    '/console/{view}': {
      get: {
        parameters: [{ name: 'view', 'x-multi-segment': true }],
        responses: {
          200: { content: { 'text/html': { schema: { type: 'string' } } } },
        },
      },
    },
    '/console/assets/{file}': {
      get: {
        parameters: [{ name: 'file' }],
        responses: {
          200: { content: { '*/*': { schema: { type: 'string' } } } },
        },
      },
    },
    '/data/files/{key}/picture': {
      get: {
        responses: {
          200: { content: { 'image/*': { schema: { type: 'string' } } } },
        },
      },
    },
  },
  components: {
    schemas: {
      Part: part,
      ErrorBody: {
        type: 'object',
        properties: { message: { type: 'string' } },
        required: ['message'],
      },
    },
  },
} as ApiDocument;
const ERROR = { message: 'there is none' };

function answer(seen: Partial<Omit<SeenAnswer, 'bytes'>>, body: unknown): SeenAnswer {
  const bytes = Buffer.from(body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body));
  return {
    method: 'GET',
    path: '/data/parts/7',
    status: 200,
    contentType: 'application/json; charset=utf-8',
    ...seen,
    bytes,
  };
}

describe('check of an answer', () => {
  const documents = new DocumentedAnswers([document]);

  it.each<[string, SeenAnswer]>([
    ['with a body of the schema', answer({}, { uuid: '7' })],
    ['to an address in another case, with a slash and a query', answer({ path: '/DATA/Parts/7/?deep=true' }, { uuid: '7' })],
    ['to the address that says more than a parameter', answer({ path: '/data/parts/all' }, [{ uuid: '7' }])],
    ['without a body', answer({ method: 'DELETE', contentType: undefined }, undefined)],
    [
      'to a method that only the address with the parameter has',
      answer({ method: 'DELETE', path: '/data/parts/all', contentType: undefined }, undefined),
    ],
    ['that says nothing new', answer({ status: 304, contentType: undefined }, undefined)],
    ['to HEAD', answer({ method: 'HEAD' }, undefined)],
    ['of any bytes', answer({ path: '/data/files/0/archiveContent/a', contentType: 'text/plain' }, 'x')],
    ['to a name with slashes', answer({ path: '/data/files/0/ArchiveContent//a/b', contentType: undefined }, 'x')],
    ['that is a page, at an address below it', answer({ path: '/console/parts/7/', contentType: 'text/html' }, '<html>')],
    ['at the address without slashes', answer({ path: '/console/assets/x.js', contentType: 'text/javascript' }, 'x')],
    ['that is a picture', answer({ path: '/data/files/0/picture', contentType: 'image/png' }, 'x')],
    ['404 to an address that there is none of', answer({ path: '/nothing', status: 404 }, ERROR)],
    ['400 to an address that cannot be decoded', answer({ path: '/nothing/%ff', status: 400 }, ERROR)],
    ['400 to a deletion whose address has an empty segment', answer({ method: 'DELETE', path: '/data/nothing//7', status: 400 }, ERROR)],
    ['400 to a deletion whose address has a backslash', answer({ method: 'DELETE', path: '/console/\\', status: 400 }, ERROR)],
    ['400 to a clearing whose address has a backslash', answer({ method: 'POST', path: '/data\\/clear', status: 400 }, ERROR)],
    [
      '403 to a page of another origin at an address that there is none of',
      answer({ method: 'PUT', path: '/nothing', status: 403 }, ERROR),
    ],
    ['421 to another host', answer({ status: 421 }, ERROR)],
    ['405 to a method that there is none of', answer({ method: 'PATCH', status: 405 }, ERROR)],
    ['503 in a failure', answer({ status: 503 }, ERROR)],
    ['of Socket.IO', answer({ path: '/events/?EIO=4', contentType: 'text/plain' }, '0{}')],
  ])('%s is as documented', (_name, seen) => {
    expect(documents.problem(seen)).toBeUndefined();
  });

  it.each<[string, SeenAnswer, RegExp]>([
    ['whose body has a member too many', answer({}, { uuid: '7', name: 'Pump' }), /^body must NOT have additional properties: .*Pump/],
    ['whose body lacks a member', answer({}, {}), /'uuid'/],
    ['with a wrong item', answer({ path: '/data/parts/all' }, [{ uuid: '7' }, { uuid: 7 }]), /^body\/1\/uuid must be string/],
    ['that is no JSON', answer({}, '{"uuid":'), /is no JSON/],
    ['of another type', answer({ contentType: 'text/html' }, { uuid: '7' }), /type is text\/html, documented are application\/json/],
    ['without a type', answer({ contentType: undefined }, { uuid: '7' }), /type is missing/],
    ['with a body that is not documented', answer({ method: 'DELETE' }, {}), /has no body/],
    ['with a status that is not documented', answer({ status: 409 }, ERROR), /status is not in its document/],
    ['to an address that is not documented', answer({ path: '/data/measurements' }, []), /no document has this address/],
    ['400 to an address that there is none of', answer({ path: '/nothing', status: 400 }, ERROR), /no document has this address/],
    ['400 to a backslash elsewhere', answer({ method: 'POST', path: '/nothing\\', status: 400 }, ERROR), /no document has this address/],
    ['403 that is not documented', answer({ status: 403 }, ERROR), /status is not in its document/],
    ['to a longer address', answer({ path: '/data/files/0/picture/large' }, []), /no document has this address/],
    ['to a method that is not documented', answer({ method: 'PUT' }, undefined), /has no such method/],
    ['503 without the body of failures', answer({ status: 503 }, { error: 'busy' }), /must have required property 'message'/],
    ['404 that is a page', answer({ path: '/nothing', status: 404, contentType: 'text/html' }, '<html>'), /type is text\/html/],
  ])('%s is reported', (_name, seen, problem) => {
    expect(documents.problem(seen)).toMatch(problem);
  });
});

describe('log of answers', () => {
  const URL = 'http://127.0.0.1:1';
  const served = () => Promise.resolve({ status: 200, json: () => ({ ...document }) });

  it('reports nothing for documented answers, and nothing without answers', async () => {
    const notes = new AnswerNotes(served);
    expect(await notes.problems()).toEqual([]);
    for (let i = 0; i < 100; i++) notes.note(URL, answer({}, { uuid: '7' }));
    expect(await notes.problems()).toEqual([]);
  });

  it('reports an undocumented answer once for all that are similar [D1.1]', async () => {
    const notes = new AnswerNotes(served);
    for (let i = 0; i < 10; i++) notes.note(URL, answer({ path: `/data/parts/${i}` }, i < 3 ? { uuid: '7' } : { name: i }));
    notes.note(URL, answer({ status: 409 }, ERROR));
    expect(await notes.problems()).toEqual([
      expect.stringMatching(/^GET \/data\/parts\/3 answered 200: body must/),
      expect.stringMatching(/answered 409: the status is not/),
    ]);
  });

  it('is limited in answers and bytes, but records every status', async () => {
    const notes = new AnswerNotes(served);
    for (let i = 0; i < 1000; i++) notes.note(URL, answer({}, { uuid: '7' }));
    notes.note(URL, answer({ status: 418 }, 'x'.repeat(20 * 2 ** 20)));
    expect(await notes.problems()).toEqual([expect.stringMatching(/answered 418/)]);
  });

  it('loads the documents again after a failure', async () => {
    let asked = 0;
    const notes = new AnswerNotes(() => ((asked += 1) <= 3 ? Promise.reject(new Error('down')) : served()));
    await eventually(() => {
      notes.note(URL, answer({}, { uuid: '7' }));
      return asked >= 4;
    }, 'the documents are asked for again');
    expect(await notes.problems()).toEqual([]);
  });

  it.each([
    ['cannot be asked', () => Promise.reject(new Error('down'))],
    ['has no documents', () => Promise.resolve({ status: 404, json: () => ERROR })],
    ['fails meanwhile', () => Promise.resolve({ status: 503, json: () => ERROR })],
  ])('fails when nothing could be compared, because the server %s', async (_name, ask) => {
    const notes = new AnswerNotes(ask);
    notes.note(URL, answer({}, { uuid: '7' }));
    expect(await notes.problems()).toEqual(['of 1 answers only 0 could be compared with the documents']);
  });
});
