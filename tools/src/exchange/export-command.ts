import { access } from 'node:fs/promises';
import { CommandError, UsageError, type Command } from '../command-line/command.js';
import { progressOn } from '../command-line/progress.js';
import { ArchiveWriter } from './archive.js';
import { clientOf, SERVER_HELP, SERVER_OPTIONS } from './connect-to-server.js';
import { exportOneState } from './export-subtree.js';

const HELP = `
npm run export -- --server URL --path /part TARGET.zip

Reads a part with everything below and in it from a server, with the parts' and characteristics' attributes, measurements, values and files, and what
these need of configuration and catalogs, into one archive. Parts, characteristics, configuration and catalogs are those of one state: when they are
changed meanwhile, it begins again. It asks over the REST interface: what the user may not read is not in the archive, and it is
said what that can be.

${SERVER_HELP}
  --path PATH       of the part, such as /assembly/door; / is everything

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
      `${target}: ${counts.parts} parts, ${counts.characteristics} characteristics, ${counts.measurements} measurements, ${counts.files} files.`,
    );
    for (const remark of remarks) context.print(remark);
    return 0;
  },
};
