import { z } from 'zod';

/** Interface versions reported by the root endpoints (spec: decisions.md 5.12). */
export const SUPPORTED_VERSIONS = {
  dataService: ['1.12.0'],
  exchangeService: ['1.0.0'],
  analysisService: ['1.0.0'],
  alarmService: ['1.0.0'],
  reportService: ['1.0.0'],
  rawDataService: ['1.8.0'],
  eventService: ['1.0.0'],
  healthService: ['1.0.0'],
  oAuthService: ['1.2.0'],
} as const;

/** spec: inspection-service.md, Other result shapes; raw-data-service.md, Interface information */
export const interfaceInformationSchema = z
  .object({ supportedVersions: z.array(z.string()).readonly() })
  .meta({ id: 'InterfaceInformation', description: 'Versions of the interface' });
export type InterfaceInformation = z.infer<typeof interfaceInformationSchema>;
