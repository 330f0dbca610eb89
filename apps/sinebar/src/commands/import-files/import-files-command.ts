import { commandText } from '@sinebar/contracts';
import { DATE_ORDERS, isEncoding, type DateOrder } from '@sinebar/exchange';
import { type Command, runAsProcess, sentenceOf, UsageError } from '../../command-line/command.ts';
import { startProgress } from '../../command-line/progress.ts';
import { clientOf, SERVER_HELP, SERVER_OPTIONS } from '../transfer/connect-to-server.ts';
import { readMapping } from './data-file.ts';
import { FolderWatch } from './folder-watch.ts';
import { importFile, type ImportSettings } from './import-file.ts';

const HELP = `
${commandText('import-files --server URL [FILE…] [--watch FOLDER]')}

Imports AQDEF files (.dfq; .dfd with its .dfx beside it), tables of CALYPSO (_chr.txt with its _hdr.txt), CSV (.csv, .tsv) and Excel
workbooks (.xlsx, .xlsm) with their parts, characteristics and measurements: each file as a whole or not at all, and the same content once.
A run that broke off may simply be started again.

${SERVER_HELP}
  --part PATH       the part below which the parts of the files stand, such as /Line/Pump; the root when left out
  --zone ZONE       zone of the times in the files, such as Europe/Berlin; UTC when left out
  --encoding NAME   encoding of text files without a byte order mark, such as gbk, shift_jis or windows-1250; found when left out
  --date-order dmy|mdy|ymd
                    order in dates with slashes; by default the variable SINEBAR_DATE_ORDER, else that of the server or of the format
  --mapping FILE    JSON that says what the columns of CSV and Excel files hold, see docs/files.md, or @NAME, a mapping that the server
                    keeps; without it columns are found by their names
  --dry-run         check only, and say what would be stored
  --skip-bad        leave out measurements with errors instead of refusing their file
  --ignore-undefined
                    define no attribute, and leave out what the server has none for: limits, units and times, too
  --no-fill         leave parts and characteristics that are there without the attributes that they lack
  --on-difference keep|update|refuse
                    what happens to attributes that differ from those of the file; keep when left out
  --no-original     do not keep the files as raw data of the first measurement of each of their parts
  --watch FOLDER    import what comes into the folder until Ctrl-C: a file that has not changed for some seconds is imported and
                    moved to done/ or, with a text that says why, to failed/

Exit code 0: every file is there; 1: not, see what was printed.
`;

const options = {
  ...SERVER_OPTIONS,
  part: { type: 'string' },
  zone: { type: 'string' },
  encoding: { type: 'string' },
  'date-order': { type: 'string' },
  mapping: { type: 'string' },
  'dry-run': { type: 'boolean' },
  'skip-bad': { type: 'boolean' },
  'ignore-undefined': { type: 'boolean' },
  'no-fill': { type: 'boolean' },
  'on-difference': { type: 'string' },
  'no-original': { type: 'boolean' },
  watch: { type: 'string' },
} as const;

export const importFilesCommand: Command<typeof options> = {
  name: 'import-files',
  help: HELP,
  options,
  words: [],
  furtherWords: 'FILE…',
  run: async ({ values, words: files }, context) => {
    const { env, signal, print, stderr } = context;
    const client = clientOf(values, context);
    const dryRun = values['dry-run'] === true;
    if (files.length === 0 && values.watch === undefined) throw new UsageError('Missing: FILE or --watch FOLDER.');
    if (dryRun && values.watch !== undefined) throw new UsageError('--dry-run does not go with --watch, which moves what it has imported.');
    const onDifference = differenceChoice(values['on-difference']);
    const mapping = values.mapping === undefined ? undefined : await readMapping(values.mapping);
    const encoding = encodingOf(values.encoding);
    const dateOrder = dateOrderOf(values['date-order'] ?? env['SINEBAR_DATE_ORDER']);
    const settings = {
      dryRun,
      skipBad: values['skip-bad'] === true,
      keepsOriginal: values['no-original'] !== true,
      ...(values['ignore-undefined'] === true && { ignoreUndefined: true }),
      ...(values['no-fill'] === true && { fill: false }),
      ...(onDifference !== undefined && { onDifference }),
      ...(mapping && { mapping }),
      ...(values.part !== undefined && { partPath: values.part }),
      ...(values.zone !== undefined && { zone: values.zone }),
      ...(encoding !== undefined && { encoding }),
      ...(dateOrder !== undefined && { dateOrder }),
    };
    const importOne = (file: string) => importFile(client, file, settings, signal);
    let failed = 0;
    const progress = startProgress({ title: 'Importing files', total: files.length, unit: 'files', stream: stderr });
    try {
      for (const file of files) {
        try {
          print(await importOne(file));
        } catch (error) {
          signal.throwIfAborted();
          failed += 1;
          print(`${file}: ${sentenceOf(error)}`);
        }
        progress.advance();
      }
    } finally {
      progress.stop();
    }
    if (values.watch !== undefined) await new FolderWatch({ folder: values.watch, importFile: importOne, print }).run(signal);
    return failed === 0 ? 0 : 1;
  },
};

function differenceChoice(written: string | undefined): ImportSettings['onDifference'] {
  if (written === undefined || written === 'keep' || written === 'update' || written === 'refuse') return written;
  throw new UsageError(`--on-difference must be keep, update or refuse, not ${written}.`);
}

/** @throws UsageError the label names no encoding */
function encodingOf(label: string | undefined): string | undefined {
  if (label === undefined || isEncoding(label)) return label;
  throw new UsageError(`--encoding must be an encoding such as utf-8, windows-1250, gbk or shift_jis, not ${label}.`);
}

/** @throws UsageError the word names no order */
function dateOrderOf(word: string | undefined): DateOrder | undefined {
  if (word === undefined || word === '') return undefined;
  const order = DATE_ORDERS.find((one) => one === word.toLowerCase());
  if (order === undefined) throw new UsageError(`--date-order (SINEBAR_DATE_ORDER) must be dmy, mdy or ymd, not ${word}.`);
  return order;
}

export const run = (words: readonly string[]): Promise<void> => runAsProcess(importFilesCommand, words);
