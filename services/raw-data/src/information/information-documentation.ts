import { rawDataInformationSchema } from '@sinebar/contracts';
import { answers, type AnyRouteDocumentation } from '@sinebar/http';
import { z } from 'zod';
import { IF_MATCH, INFORMATION, INFORMATION_EXAMPLE, PART_UUID, targetParameters } from '../targets/target-documentation.js';

const list = answers.json('What is stored, in the order of targets and keys', z.array(rawDataInformationSchema), [INFORMATION_EXAMPLE]);

export const informationDocumentation = {
  ofEntity: {
    tag: INFORMATION,
    summary: 'Information on the files of one kind of entity',
    description: 'Of all targets that the caller may see, or of those that are chosen. The answer is sent while it is read.',
    parameters: {
      ...targetParameters,
      uuids: { description: 'Targets, as a list', example: `{${PART_UUID}}` },
      filter: {
        description: 'Condition on the information, in the filter language; `like` works on `FileName`, `MimeType` and `MD5`',
        example: `FileName like '*.txt'`,
      },
    },
    responses: { 200: list },
    errors: ['NotFound'],
  },
  ofTarget: {
    tag: INFORMATION,
    summary: 'Information on the files of one target',
    parameters: targetParameters,
    responses: { 200: list },
    errors: ['NotFound'],
  },
  update: {
    tag: INFORMATION,
    summary: 'Give a file another name or type',
    description: 'What is left out stays as it is.',
    parameters: targetParameters,
    headers: IF_MATCH,
    body: { description: 'The new name, the new type, or both', example: { fileName: 'protocol.txt', mimeType: 'text/plain' } },
    responses: { 200: answers.done },
    errors: ['NotFound', 'PreconditionFailed', 'Conflict'],
  },
} satisfies Record<string, AnyRouteDocumentation>;
