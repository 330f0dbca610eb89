import { readFile, stat } from 'node:fs/promises';
import { errorCode } from '@sinebar/concurrency';
import { commandText } from '@sinebar/contracts';
import { BUILT_IN_TEMPLATES, builtInTemplate, isBuiltIn, readTemplateFile } from '@sinebar/report';
import { CommandError, runAsProcess, UsageError, type Command } from '../../command-line/command.ts';

const PROBLEMS_FOUND = 1;

const HELP = `
${commandText('reports check FILE')}
${commandText('reports template NAME')}

check says what is wrong in a template of reports, with line and column. template prints one that the product brings along, as a
beginning of your own: ${BUILT_IN_TEMPLATES.join(', ')}.
Templates of a plant are YAML files in the folder of SINEBAR_REPORT_TEMPLATES (docs/reports.md).

Exit code 0: no problem; 1: problems; 2: wrong use.
`;

/** Word that each action takes. */
const WORD = { check: 'FILE', template: 'NAME' } as const;
const ACTIONS = Object.entries(WORD).map(([action, word]) => `${action} ${word}`);
const NAMES = BUILT_IN_TEMPLATES.join(', ');

export const reportsCommand: Command<Record<never, never>> = {
  name: 'reports',
  help: HELP,
  options: {},
  words: [],
  furtherWords: 'ACTION',
  run: async ({ words: [action, word, ...further] }, { print }) => {
    if (action === undefined) throw new UsageError(`Missing: an action, which is ${ACTIONS.join(' or ')}.`);
    if (!isAction(action)) throw new UsageError(`There is no action ${action}: ${Object.keys(WORD).join(', ')}.`);
    const names = action === 'template' ? ` The templates are ${NAMES}.` : '';
    if (word === undefined || word === '') throw new UsageError(`Missing: ${WORD[action]}.${names}`);
    if (further.length > 0) throw new UsageError(`${action} takes one ${WORD[action]}. Not understood: ${further.join(' ')}.`);
    if (action === 'template') {
      if (!isBuiltIn(word)) throw new CommandError(`There is no template ${word}: ${NAMES}.`);
      print(builtInTemplate(word).trimEnd());
      return 0;
    }
    const read = readTemplateFile(await bytesOf(word));
    if ('template' in read) {
      print(`${word} is a valid template.`);
      return 0;
    }
    for (const { line, column, message } of read.problems) print(`${word}:${line}:${column}: ${message}`);
    return PROBLEMS_FOUND;
  },
};

function isAction(word: string): word is keyof typeof WORD {
  return Object.hasOwn(WORD, word);
}

/** Reads a file. @throws CommandError for one that cannot be read */
async function bytesOf(path: string): Promise<Uint8Array> {
  try {
    const about = await stat(path);
    if (about.isDirectory()) throw new CommandError(`${path} is a folder. Name a YAML file in it.`);
    if (!about.isFile()) throw new CommandError(`${path} is not a file. Name a YAML file.`);
    return await readFile(path);
  } catch (error) {
    if (error instanceof CommandError) throw error;
    const code = errorCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') throw new CommandError(`There is no file ${path}.`);
    throw new CommandError(`The file ${path} cannot be read (${code ?? 'unknown reason'}).`);
  }
}

export const run = (words: readonly string[]): Promise<void> => runAsProcess(reportsCommand, words);
