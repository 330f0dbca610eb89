import { z } from 'zod';

const time = z.string().describe('ISO 8601, UTC');

/** Subjects of templates. */
export const REPORT_SUBJECTS = ['part', 'characteristic', 'measurement'] as const;

export const REPORT_LANGUAGES = ['en', 'de'] as const;

/** Forms of a report: its pages, or its first table as an Excel workbook. */
export const REPORT_FORMATS = ['pdf', 'xlsx'] as const;
export type ReportFormat = (typeof REPORT_FORMATS)[number];

/** Characteristics that get pages of their own. */
export const REPORT_PAGES = ['worst', 'all', 'none'] as const;

export const REPORT_STATES = ['running', 'done', 'failed'] as const;

export const reportTemplateSchema = z
  .object({
    name: z.string(),
    title: z.object({ en: z.string(), de: z.string() }),
    builtIn: z.boolean().describe('Whether the product brings it along'),
    for: z.enum(REPORT_SUBJECTS),
    sections: z.array(z.string()).describe('Its sections in their order, such as `summary`; none for one that cannot be used'),
    pages: z.enum(REPORT_PAGES).describe('Characteristics with pages of their own when a request does not say'),
    worst: z.int().describe('How many, of the worst, when a request does not say'),
    problem: z.string().optional().describe('Why a template of the plant cannot be used'),
  })
  .meta({ id: 'ReportTemplate' });
export type ReportTemplate = z.infer<typeof reportTemplateSchema>;

export const reportTemplateListSchema = z.array(reportTemplateSchema);

/** A report that is kept. */
export const keptReportSchema = z
  .object({
    uuid: z.string(),
    template: z.string(),
    title: z.string().describe('Title of the template and name of the part'),
    partUuid: z.string(),
    partPath: z.string().describe('When the report was made, with type marker: `PP:/assembly/door/`'),
    user: z.string().optional().describe('Who had it made; absent without sign-in, and where names are not shown'),
    created: time,
    from: time.optional(),
    to: time,
    language: z.enum(REPORT_LANGUAGES),
    state: z.enum(REPORT_STATES),
    reason: z.string().optional().describe('Why it failed'),
    pages: z.int().optional(),
    sizeBytes: z.int().optional(),
    sha256: z.string().optional().describe('Of its bytes, in hexadecimal digits'),
    whole: z.boolean().describe('Whether who had it made may see everything that belongs to it'),
    expires: time.describe('When it is deleted'),
  })
  .meta({ id: 'KeptReport' });
export type KeptReport = z.infer<typeof keptReportSchema>;

export const keptReportListSchema = z.array(keptReportSchema);
