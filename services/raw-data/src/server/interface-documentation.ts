import { interfaceInformationSchema } from '@sinebar/contracts';
import { answers, type AnyRouteDocumentation } from '@sinebar/http';
import { z } from 'zod';
import { INTERFACE_EXAMPLE } from '../targets/target-documentation.js';

const tag = 'Service';

export const interfaceDocumentation = {
  versions: {
    tag,
    summary: 'Versions of the interface for files',
    responses: { 200: answers.json('The versions', interfaceInformationSchema, INTERFACE_EXAMPLE) },
    errors: [],
  },
  serviceInformation: {
    tag,
    summary: 'The version of the service',
    responses: { 200: answers.json('The version', z.object({ version: z.string() }), { version: '0.1.0' }) },
    errors: [],
  },
} satisfies Record<string, AnyRouteDocumentation>;
