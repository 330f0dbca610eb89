import { readTemplate, type Template, type TemplateProblem } from './template.ts';

const MAX_TEMPLATE_BYTES = 100_000;
const NEWLINE = 0x0a;

/** A template with its text. */
export interface LoadedTemplate {
  readonly text: string;
  readonly template: Template;
}

/** Reads the bytes of a template file. @returns the template with its text, or all that is wrong in it */
export function readTemplateFile(bytes: Uint8Array): LoadedTemplate | { problems: readonly TemplateProblem[] } {
  if (bytes.length > MAX_TEMPLATE_BYTES)
    return problem(1, `The template has ${bytes.length} bytes; at most ${MAX_TEMPLATE_BYTES} are read. Shorten it.`);
  const text = decode(bytes);
  if (text === undefined) return problem(firstWrongLine(bytes), 'The line is not UTF-8. Save the template as UTF-8.');
  const read = readTemplate(text);
  return 'template' in read ? { text, template: read.template } : read;
}

function problem(line: number, message: string): { problems: readonly TemplateProblem[] } {
  return { problems: [{ line, column: 1, message }] };
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Finds the first line that is not UTF-8; no character of several bytes contains the byte of a newline. */
function firstWrongLine(bytes: Uint8Array): number {
  for (let line = 1, start = 0; ; line += 1) {
    const end = bytes.indexOf(NEWLINE, start);
    if (end < 0 || decode(bytes.subarray(start, end)) === undefined) return line;
    start = end + 1;
  }
}
