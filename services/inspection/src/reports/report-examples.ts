import type { KeptReport, ReportTemplate } from '@sinebar/contracts';
import { PART_UUID } from '../shared/documentation.ts';

export const REPORT_ORDER = {
  template: 'part',
  selection: { partUuid: PART_UUID },
  language: 'en',
  from: '2026-03-01T00:00:00Z',
  to: '2026-04-01T00:00:00Z',
  options: { pages: 'worst', worst: 5 },
};
export const TEMPLATE_EXAMPLE: ReportTemplate = {
  name: 'part',
  title: { en: 'Part report', de: 'Teilebericht' },
  builtIn: true,
  for: 'part',
  sections: ['cover', 'summary', 'characteristics', 'pages'],
  pages: 'worst',
  worst: 5,
};
export const KEPT_REPORT_EXAMPLE: KeptReport = {
  uuid: '4c9d6f02-5c1e-4d0b-8a55-0c3f2a7be401',
  template: 'part',
  title: 'Part report: Pump',
  partUuid: PART_UUID,
  partPath: 'P:/Pump/',
  user: 'ada',
  created: '2026-04-01T06:00:00.000Z',
  from: '2026-03-01T00:00:00.000Z',
  to: '2026-04-01T00:00:00.000Z',
  language: 'en',
  state: 'done',
  pages: 7,
  sizeBytes: 148_210,
  sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  whole: true,
  expires: '2026-06-30T06:00:04.000Z',
};
