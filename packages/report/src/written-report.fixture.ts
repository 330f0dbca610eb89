import { PassThrough } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { readFonts } from './pdf/fonts.ts';
import type { ReportContent, ReportRequest } from './report-content.ts';
import { builtInTemplate } from './templates/built-in.ts';
import { writeReport } from './write-report.ts';

const FONTS = readFonts();

/** Writes a report into memory. */
export async function writtenReport(content: ReportContent, request: Partial<ReportRequest> = {}): Promise<Buffer> {
  const output = new PassThrough();
  const bytes = buffer(output);
  const { signal } = new AbortController();
  const asked = { template: builtInTemplate('part'), language: 'en', to: '2026-03-31T12:00:00.000Z', author: 'Ann', ...request } as const;
  await writeReport(asked, content, { output, fonts: FONTS, signal });
  return bytes;
}
