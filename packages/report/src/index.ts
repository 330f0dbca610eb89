export { fontFile, readFonts } from './pdf/fonts.ts';
export type {
  ReportCharacteristic,
  ReportContent,
  ReportDetail,
  ReportDrawing,
  ReportRequest,
  UrgentCharacteristic,
} from './report-content.ts';
export { BUILT_IN_TEMPLATES, builtInTemplate, isBuiltIn } from './templates/built-in.ts';
export { readTemplateFile, type LoadedTemplate } from './templates/template-file.ts';
export type { Template } from './templates/template.ts';
