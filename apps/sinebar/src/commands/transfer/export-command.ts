import { commandText } from '@sinebar/contracts';
import { access } from 'node:fs/promises';
import { type Command, CommandError, runAsProcess, UsageError } from '../../command-line/command.ts';
import { progressOn } from '../../command-line/progress.ts';
import { ArchiveWriter } from './archive.ts';
import { clientOf, SERVER_HELP, SERVER_OPTIONS } from './connect-to-server.ts';
import { exportOneState } from './export-subtree.ts';

const HELP = `
${commandText('export --server URL --path /part TARGET.zip')}

Writes a part of a server with everything below and in it into one archive: attributes, measurements, values, notes, alarms, files, and the
attribute definitions and catalogs that these need. Parts, characteristics, configuration and catalogs are of one state: the export restarts
when they change meanwhile. It uses the REST interface: the archive holds only what the user may read, and like the command it says what is
missing.

${SERVER_HELP}
  --path PATH       path of the part, such as /assembly/door; / for everything

TARGET.zip must not exist. Exit code 0: written; 1: not written.
`;

const options = { ...SERVER_OPTIONS, path: { type: 'string' } } as const;

export const exportCommand: Command<typeof options> = {
  name: 'export',
  help: HELP,
  options,
  words: ['TARGET.zip'],
  run: async ({ values, words: [target = ''] }, context) => {
    if (values.path === undefined) throw new UsageError('Missing: --path /part, or --path / for everything.');
    const client = clientOf(values, context);
    const exists = await access(target).then(
      () => true,
      () => false,
    );
    if (exists) throw new CommandError(`${target} exists already. Nothing is overwritten.`);
    const exchange = { client, progress: progressOn(context.stderr), signal: context.signal };
    const { counts, remarks } = await exportOneState(exchange, values.path, () => new ArchiveWriter(target));
    context.print(
      `${target}: ${counts.parts} parts, ${counts.characteristics} characteristics, ${counts.measurements} measurements, ` +
        `${counts.files} files, ${counts.alarms} alarms.`,
    );
    for (const remark of remarks) context.print(remark);
    return 0;
  },
};

export const run = (words: readonly string[]): Promise<void> => runAsProcess(exportCommand, words);
