import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ServiceError, type ReportTemplate } from '@sinebar/contracts';
import type { Logger } from '@sinebar/runtime';
import { BUILT_IN_TEMPLATES, builtInTemplate, isBuiltIn, readTemplateFile, type LoadedTemplate } from '@sinebar/report';

const ENDING = /\.ya?ml$/;

type ReadTemplate = ReturnType<typeof readTemplateFile>;

/** Templates that the product brings along, and those of the plant, which may have the same names and then count. */
export class ReportTemplates {
  private readonly folder: string | undefined;
  private readonly log: Logger;

  /** @param folder of the YAML files of the plant */
  constructor(folder: string | undefined, log: Logger) {
    this.folder = folder;
    this.log = log;
  }

  async list(): Promise<ReportTemplate[]> {
    const own = await this.ownNames();
    const names = [...new Set([...BUILT_IN_TEMPLATES, ...own.keys()])];
    return Promise.all(
      names.map(async (name): Promise<ReportTemplate> => {
        const builtIn = !own.has(name);
        const read = await this.read(name, own);
        if ('template' in read) {
          const { title, for: subject, sections, pages, worst } = read.template;
          const titles = typeof title === 'string' ? { en: title, de: title } : title;
          return { name, builtIn, for: subject, title: titles, sections: sections.map(({ section }) => section), pages, worst };
        }
        const problem = problemText(read.problems);
        return { name, builtIn, for: 'part', title: { en: name, de: name }, sections: [], pages: 'none', worst: 0, problem };
      }),
    );
  }

  /** @throws ServiceError 400 for a template that does not exist or is not valid */
  async load(name: string): Promise<LoadedTemplate> {
    const own = await this.ownNames();
    if (!own.has(name) && !isBuiltIn(name)) {
      const names = [...new Set([...BUILT_IN_TEMPLATES, ...own.keys()])].join(', ');
      throw new ServiceError('InvalidRequest', `There is no template ${JSON.stringify(name)}. The templates are ${names}.`);
    }
    const read = await this.read(name, own);
    if ('template' in read) return read;
    throw new ServiceError('InvalidRequest', `The template ${name} cannot be used: ${problemText(read.problems)}`);
  }

  private async ownNames(): Promise<ReadonlyMap<string, string>> {
    if (this.folder === undefined) return new Map();
    const files = await readdir(this.folder).catch((error: unknown): string[] => {
      this.log.warn({ err: error }, 'the folder of SINEBAR_REPORT_TEMPLATES cannot be read; only the templates of the product are there');
      return [];
    });
    return new Map(files.filter((file) => ENDING.test(file)).map((file) => [file.replace(ENDING, ''), file]));
  }

  private async read(name: string, own: ReadonlyMap<string, string>): Promise<ReadTemplate> {
    const file = own.get(name);
    if (file === undefined || this.folder === undefined) return readTemplateFile(Buffer.from(isBuiltIn(name) ? builtInTemplate(name) : ''));
    try {
      return readTemplateFile(await readFile(join(this.folder, file)));
    } catch (error) {
      // A folder, a file without the right to read it, or one that was removed meanwhile; the other templates can still be used.
      const { code = 'unknown reason' } = error as NodeJS.ErrnoException;
      return { problems: [{ line: 1, column: 1, message: `The file ${file} cannot be read (${code}).` }] };
    }
  }
}

function problemText(problems: readonly { line: number; column: number; message: string }[]): string {
  const [first] = problems;
  return first === undefined ? '' : `line ${first.line}, column ${first.column}: ${first.message}`;
}
