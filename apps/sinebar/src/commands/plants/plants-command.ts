import { commandText, streamOfPlant } from '@sinebar/contracts';
import { inspectNatsStream } from '@sinebar/message-bus';
import { withConnection } from '../backup/connection.ts';
import { CommandError, type Command } from '../../command-line/command.ts';
import { progressOn } from '../../command-line/progress.ts';
import { sizeText } from '../../command-line/size-text.ts';
import { createPlant } from './create-plant.ts';
import { distributePlant, movePlant, findNode, readNode } from './place-plant.ts';
import { readSizeBytes, existingSchemas, hasCitus, openPlant, openServers, readPlants, SERVERS_HELP } from './plant-store.ts';
import { describeRemoval, planRemoval, removePlant } from './remove-plant.ts';

const HELP = `
${commandText('plants list')}
${commandText('plants create NAME [--inspection-role ROLE --raw-data-role ROLE]')}
${commandText('plants distribute NAME')}
${commandText('plants move NAME NODE')}
${commandText('plants remove NAME [--yes]')}

Plants that share a database, a message broker and a store for files. NAME: at most 40 letters, digits and hyphens.

  list         the plants of the database
  create       creates schemas and tables, the event stream and the place for files; of a plant that exists what is missing.
               With roles the schemas belong to the services, which then create their tables
  distribute   places the plant as a whole on a node of a Citus cluster
  move         moves it to the node NODE (host:port) while it is used
  remove       names everything that the plant has, asks, and removes it. Its services must be stopped

${SERVERS_HELP}

Exit code 0: done; 1: not done, with the reason; 2: wrong use.
`;

const none = {} as const;
const createOptions = { 'inspection-role': { type: 'string' }, 'raw-data-role': { type: 'string' } } as const;
const removeOptions = { yes: { type: 'boolean' } } as const;

/** Asks a person; `undefined` where nobody can answer. */
export type Ask = (question: string) => Promise<string | undefined>;

const list: Command<typeof none> = {
  name: 'plants',
  help: HELP,
  options: none,
  words: [],
  run: async (_, context) => {
    const store = await openServers(context);
    try {
      const rows = await withConnection(store.databaseUrl, context.signal, async (client) => {
        const isCluster = await hasCitus(client);
        const found: string[][] = [];
        for (const plant of await readPlants(client)) {
          const schemas = await existingSchemas(client, { plant });
          const node = isCluster ? await findNode(client, schemas[0] ?? '') : undefined;
          const stream = store.stream && (await inspectNatsStream({ ...store.stream, name: streamOfPlant(plant).streamName }));
          found.push([
            plant === '' ? '(without a name)' : plant,
            sizeText(await readSizeBytes(client, schemas)),
            stream === undefined ? 'no event stream' : `${stream.messages} events`,
            ...(isCluster ? [node === undefined ? 'not distributed' : `${node.host}:${node.port}`] : []),
          ]);
        }
        return found;
      });
      context.print(rows.length === 0 ? 'There are no plants in this database.' : tableOf(rows));
      return 0;
    } finally {
      await store.close();
    }
  },
};

const create: Command<typeof createOptions> = {
  ...list,
  options: createOptions,
  words: ['NAME'],
  run: async ({ values, words: [name = ''] }, context) => {
    const store = await openPlant(name, context);
    try {
      const roles = { inspectionRole: values['inspection-role'], rawDataRole: values['raw-data-role'] };
      for (const line of await createPlant(store, roles, context)) context.print(line);
      context.print(`Start its services with SINEBAR_PLANT=${store.plant}.`);
      return 0;
    } finally {
      await store.close();
    }
  },
};

const distribute: Command<typeof none> = {
  ...list,
  words: ['NAME'],
  run: async ({ words: [name = ''] }, context) => {
    const store = await openPlant(name, context);
    try {
      const { host, port } = await distributePlant(store, progressOn(context.stderr), context.signal);
      context.print(`The plant "${store.plant}" is on the node ${host}:${port}.`);
      return 0;
    } finally {
      await store.close();
    }
  },
};

const move: Command<typeof none> = {
  ...list,
  words: ['NAME', 'NODE'],
  run: async ({ words: [name = '', node = ''] }, context) => {
    const target = readNode(node);
    const store = await openPlant(name, context);
    try {
      await movePlant(store, target, progressOn(context.stderr), context.signal);
      context.print(`The plant "${store.plant}" is on the node ${node}.`);
      return 0;
    } finally {
      await store.close();
    }
  },
};

function removeCommand(ask: Ask): Command<typeof removeOptions> {
  return {
    ...list,
    options: removeOptions,
    words: ['NAME'],
    run: async ({ values, words: [name = ''] }, context) => {
      const store = await openPlant(name, context);
      try {
        const removal = await planRemoval(store, context.signal);
        for (const line of describeRemoval(store, removal)) context.print(line);
        if (values.yes !== true) {
          const answer = await ask('Type the name of the plant to remove it: ');
          if (answer === undefined) throw new CommandError('Nothing was removed: confirm with --yes.');
          if (answer.trim().toLowerCase() !== store.plant) throw new CommandError('Nothing was removed: that is not its name.');
        }
        const progress = progressOn(context.stderr);
        try {
          await removePlant(store, removal, progress, context.signal);
        } finally {
          progress.done();
        }
        context.print(`Removed the plant "${store.plant}".`);
        return 0;
      } finally {
        await store.close();
      }
    },
  };
}

/** Commands by the first word behind `plants`. */
export function plantsCommands(ask: Ask) {
  return { list, create, distribute, move, remove: removeCommand(ask) } as const;
}

function tableOf(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('   ')
        .trimEnd(),
    )
    .join('\n');
}
