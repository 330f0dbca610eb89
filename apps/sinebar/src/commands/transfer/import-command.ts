import { commandText } from '@sinebar/contracts';
import { type Command, runAsProcess } from '../../command-line/command.ts';
import { progressOn } from '../../command-line/progress.ts';
import { ArchiveReader } from './archive.ts';
import { Conflicts } from './conflicts.ts';
import { clientOf, SERVER_HELP, SERVER_OPTIONS } from './connect-to-server.ts';
import { importArchive } from './import-archive.ts';

const HELP = `
${commandText('import --server URL SOURCE.zip')}

Creates what the archive SOURCE.zip of the command export holds on another server, under the same uuids and paths. What is there already and
equal stays, so an import that broke off may simply be run again. When something is there and different, nothing is written, and it is named.

${SERVER_HELP}
  --dry-run         compare only, and say what would be created

Exit code 0: everything is there; 1: not, see what was printed.
`;

const options = { ...SERVER_OPTIONS, 'dry-run': { type: 'boolean' } } as const;

export const importCommand: Command<typeof options> = {
  name: 'import',
  help: HELP,
  options,
  words: ['SOURCE.zip'],
  run: async ({ values, words: [source = ''] }, context) => {
    const client = clientOf(values, context);
    const { signal } = context;
    const dryRun = values['dry-run'] === true;
    const archive = await ArchiveReader.open(source);
    try {
      const work = { client, archive, conflicts: new Conflicts(), progress: progressOn(context.stderr), signal };
      const { counts, remarks } = await importArchive(work, dryRun);
      const { parts, characteristics, measurements, files, alarms } = counts;
      context.print(
        `${dryRun ? 'Would create' : 'Created'} ${parts} parts, ${characteristics} characteristics, ${measurements} ` +
          `measurements, ${files} files, ${alarms} alarms.`,
      );
      for (const remark of [...remarks, ...archive.manifest.missing.map((sentence) => `The archive is not whole: ${sentence}`)])
        context.print(remark);
      return 0;
    } finally {
      archive.close();
    }
  },
};

export const run = (words: readonly string[]): Promise<void> => runAsProcess(importCommand, words);
