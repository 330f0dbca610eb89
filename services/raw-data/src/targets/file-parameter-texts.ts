import { rawDataInformationSchema, type RawDataInformation } from '@sinebar/contracts';
import { answers, type ResponseDocumentation } from '@sinebar/http';
import { z } from 'zod';

/** Tag of the routes that read and change single files. */
export const FILES = 'Files';

export const PART_UUID = '05040c4c-f0af-46b8-810e-30c0c00a379e';

export const INFORMATION_EXAMPLE: RawDataInformation = {
  target: { entity: 'Part', uuid: PART_UUID },
  key: 0,
  fileName: 'note.txt',
  mimeType: 'text/plain',
  lastModified: '2026-01-05T08:30:00.000Z',
  created: '2026-01-05T08:30:00.000Z',
  size: 22,
  md5: '8e9c4d2a7b1f40c6a5d3e2f1b0c9d8a7',
};

/** Path parameters that name a file. */
export const targetParameters = {
  entity: {
    description: 'What the file belongs to: `part`, `characteristic`, `measurement` or `value`, also in the plural',
    example: 'part',
  },
  uuid: { description: 'Uuid of that; of a value `<measurement uuid>|<characteristic uuid>`', example: PART_UUID },
  key: { description: 'Number of the file among those of its target, from 0', example: '0' },
};

const STATE_CONDITIONS = {
  'If-Match': { description: 'Only when the file still has one of these ETags, otherwise 412', example: '"4f2b0c9d8a7"' },
  'If-Unmodified-Since': {
    description: 'As `If-Match`, by the time of the last change; counts without that only',
    example: 'Mon, 05 Jan 2026 08:30:00 GMT',
  },
};
export const CHANGE_CONDITIONS = {
  ...STATE_CONDITIONS,
  'If-None-Match': {
    description: 'Only when the file has none of these ETags, with `*` only when there is none; otherwise 412',
    example: '*',
  },
};
export const CACHE_CONDITIONS = {
  ...STATE_CONDITIONS,
  'If-None-Match': { description: 'ETags that the client has: 304 when one is still right', example: '"4f2b0c9d8a7"' },
  'If-Modified-Since': {
    description: 'As `If-None-Match`, by the time of the last change; counts without that only',
    example: 'Mon, 05 Jan 2026 08:30:00 GMT',
  },
};
export const ETAG = { ETag: { description: 'Changes with the bytes, not with the store that keeps them', example: '"4f2b0c9d8a7"' } };

export const informationAnswer: ResponseDocumentation = answers.json('What is stored', rawDataInformationSchema, INFORMATION_EXAMPLE);

/** Schema of bytes, which JSON does not have. */
export const bytesSchema = z.string().meta({ format: 'binary' });

export const expectedMd5Parameter = {
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
/** Headers of every answer with the bytes of a file. */
export const fileHeaders = { ...ETAG, ...lastModified, ...disposition };
