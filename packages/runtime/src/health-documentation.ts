import { errorBodySchema, healthSchema, interfaceInformationSchema, SUPPORTED_VERSIONS } from '@sinebar/contracts';
import { z } from 'zod';
import { answers, type AnyRouteDocumentation } from '@sinebar/http';

const detail = (status: string, text: string) => ({ status, details: [{ name: 'inspection database', status, detail: text }] });

function health(summary: string): AnyRouteDocumentation {
  return {
    tag: 'Health',
    summary,
    responses: {
      200: answers.json('Healthy', healthSchema, detail('Healthy', 'answers')),
      503: {
        ...answers.json(
          'Unhealthy; or, in the moment of a failure, an error body',
          z.union([healthSchema, errorBodySchema]),
          detail('Unhealthy', 'does not answer within 2000 ms'),
        ),
        headers: { 'Retry-After': { description: 'Seconds after which another attempt makes sense', example: '2' } },
      },
    },
    errors: [],
  };
}

export const healthDocumentation = {
  versions: {
    tag: 'Health',
    summary: 'Versions of the health interface',
    responses: {
      200: answers.json('The versions', interfaceInformationSchema, { supportedVersions: SUPPORTED_VERSIONS.healthService }),
    },
    errors: [],
  },
  ready: health('Whether the service can do its work'),
  live: health('Whether the process answers'),
  allReady: health('Whether this and the other services can do their work'),
  allLive: health('Whether this and the other services answer'),
} satisfies Record<string, AnyRouteDocumentation>;
