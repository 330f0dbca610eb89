import type { AnyRouteDocumentation } from '@sinebar/http';
import { bytesSchema } from '../objects/object-documentation.js';
import { ETAG, FILES, IF_MATCH, informationAnswer, targetParameters } from '../targets/target-documentation.js';

const shared = {
  tag: FILES,
  headers: {
    'Content-Disposition': {
      description: 'The name of the file, also as `filename*` or as an encoded word',
      example: 'attachment; filename="note.txt"',
      required: true,
    },
    'Content-MD5': {
      description: 'MD5 of the bytes, Base64 or hexadecimal: with another one nothing is stored',
      example: 'jpxNKnsfQMal0+LxsMnYpw==',
    },
    'Content-Encoding': {
      description: '`gzip` or `deflate`: the file is stored decompressed; one that grows too much is 413',
      example: 'gzip',
    },
  },
  body: {
    description: 'The bytes of the file; `Content-Type` is its type and has to be sent, in quotes or not',
    schema: bytesSchema,
    example: 'ground, then polished\n',
    contentType: '*/*',
  },
} satisfies Partial<AnyRouteDocumentation>;
const errors = ['NotFound', 'ChecksumMismatch', 'UnsupportedMediaType', 'Conflict'] as const;

export const uploadDocumentation = {
  add: {
    ...shared,
    summary: 'Add a file under the next free key',
    parameters: targetParameters,
    responses: { 201: { ...informationAnswer, headers: ETAG } },
    errors,
  },
  addWithKey: {
    ...shared,
    summary: 'Add a file under a key of choice',
    description: 'The key -1 stands for the next free one.',
    parameters: targetParameters,
    responses: { 201: { ...informationAnswer, headers: ETAG } },
    errors,
  },
  replace: {
    ...shared,
    headers: { ...shared.headers, ...IF_MATCH },
    summary: 'Replace a file',
    parameters: targetParameters,
    responses: { 200: { ...informationAnswer, headers: ETAG } },
    errors: [...errors, 'PreconditionFailed'],
  },
} satisfies Record<string, AnyRouteDocumentation>;
