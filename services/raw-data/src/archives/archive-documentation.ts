import { archiveEntriesSchema } from '@sinebar/contracts';
import { answers, type AnyRouteDocumentation } from '@sinebar/http';
import { z } from 'zod';
import { bytesSchema, fileHeaders } from '../objects/object-documentation.js';
import { ARCHIVES, CACHE_CONDITIONS, INFORMATION_EXAMPLE, targetParameters } from '../targets/target-documentation.js';

const archive = { ...INFORMATION_EXAMPLE, fileName: 'scan.zip', mimeType: 'application/zip', size: 48_213 };
const lists = answers.json('The entries of each archive', z.array(archiveEntriesSchema), [
  { archiveInfo: archive, entries: ['readme.txt', 'images/', 'images/front.png'] },
]);
const errors = ['NotFound', 'UnsupportedArchive'] as const;
const LEFT_OUT = 'Targets, files and entries that are not there, or that the caller may not read, are left out. What is no archive is 400.';
const selector = { target: INFORMATION_EXAMPLE.target, key: 0 };

export const archiveDocumentation = {
  entries: {
    tag: ARCHIVES,
    summary: 'What is in an archive',
    parameters: targetParameters,
    responses: { 200: lists },
    errors,
  },
  content: {
    tag: ARCHIVES,
    summary: 'Download one entry of an archive',
    description: 'Only the bytes of that entry are read from the store. A folder, named with `/` at its end, has no bytes.',
    parameters: {
      ...targetParameters,
      filename: { description: 'Name of the entry; slashes may be encoded', example: 'readme.txt' },
      expectedArchiveMd5: {
        description: 'MD5 of the archive that the client expects: when it is right, the answer may be kept for ever',
        example: archive.md5,
      },
    },
    headers: CACHE_CONDITIONS,
    responses: {
      200: {
        description: 'The unpacked bytes of the entry',
        headers: fileHeaders,
        content: { schema: bytesSchema, example: 'Scan of the front side\n', contentType: 'application/octet-stream' },
      },
      304: answers.unchanged,
    },
    errors,
  },
  entryQuery: {
    tag: ARCHIVES,
    summary: 'What is in several archives',
    description: LEFT_OUT,
    body: { description: 'The archives', example: { selectors: [selector] } },
    responses: { 200: lists },
    errors: ['UnsupportedArchive'],
  },
  contentQuery: {
    tag: ARCHIVES,
    summary: 'Download entries of several archives',
    description: LEFT_OUT,
    body: {
      description: 'The archives, each with the names of entries',
      example: { selectors: [{ ...selector, entries: ['readme.txt'] }] },
    },
    responses: {
      200: {
        description: 'One BSON array with an element `{fileName, size, data, md5, archiveInfo}` for each entry',
        content: { schema: bytesSchema, example: 'bytes of a BSON document', contentType: 'application/bson' },
      },
    },
    errors: ['UnsupportedArchive'],
  },
} satisfies Record<string, AnyRouteDocumentation>;
