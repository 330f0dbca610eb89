import { type AnyRouteDocumentation, answers } from '@sinebar/http';
import { z } from 'zod';
import { CACHE_CONDITIONS, ETAG, FILES, IF_MATCH, targetParameters } from '../targets/target-documentation.js';

/** Bytes, in schemas and examples: JSON has none. */
export const bytesSchema = z.string().meta({ format: 'binary' });

export const expectedMd5 = {
  expectedMd5: {
    description: 'MD5 that the client expects, hexadecimal or Base64: when it is right, the answer may be kept for ever',
    example: '8e9c4d2a7b1f40c6a5d3e2f1b0c9d8a7',
  },
};

const lastModified = { 'Last-Modified': { description: 'Time of the last change', example: 'Mon, 05 Jan 2026 08:30:00 GMT' } };
const disposition = {
  'Content-Disposition': {
    description: 'The name of the file; it is to be saved, not to be shown',
    example: 'attachment; filename="note.txt"',
  },
};
/** Of every answer with the bytes of a file. */
export const fileHeaders = { ...ETAG, ...lastModified, ...disposition };

const content = { schema: bytesSchema, example: 'ground, then polished\n', contentType: '*/*' };

export const objectDocumentation = {
  download: {
    tag: FILES,
    summary: 'Download a file',
    parameters: { ...targetParameters, ...expectedMd5 },
    headers: {
      ...CACHE_CONDITIONS,
      Range: { description: 'One range of bytes; several are answered with the whole file', example: 'bytes=0-9' },
      'If-Range': {
        description: 'The range only while the file has this ETag or time, otherwise the whole file',
        example: '"4f2b0c9d8a7"',
      },
    },
    responses: {
      200: { description: 'The bytes, with the type that the file was stored with', headers: fileHeaders, content },
      206: {
        description: 'The bytes of the range',
        headers: { ...fileHeaders, 'Content-Range': { description: 'Which bytes of how many', example: 'bytes 0-9/22' } },
        content: { ...content, example: 'ground, th' },
      },
      304: answers.unchanged,
    },
    errors: ['NotFound', 'RangeNotSatisfiable'],
  },
  deleteAll: {
    tag: FILES,
    summary: 'Delete all files of a target',
    parameters: targetParameters,
    responses: { 200: answers.done },
    errors: ['NotFound'],
  },
  delete: {
    tag: FILES,
    summary: 'Delete a file',
    parameters: targetParameters,
    headers: IF_MATCH,
    responses: { 200: answers.done },
    errors: ['NotFound', 'PreconditionFailed'],
  },
} satisfies Record<string, AnyRouteDocumentation>;
