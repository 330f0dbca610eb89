import { existsSync } from 'node:fs';
import { connect, type Credentials, type SinebarClient } from '@sinebar/client';
import { copyDataFolder, startBuiltProduct } from '@sinebar/testing';
import { runCommandLine, type Command } from './command-line/command.ts';

export interface RunningSinebar {
  client: SinebarClient;
  url: string;
  stop: () => Promise<void>;
}

/**
 * Starts the product on a data folder, as `npm start` does; a missing one begins with an empty database.
 * @param settings further settings
 * @param credentials credentials of the client, when the settings require them
 */
export async function startSinebar(
  dataDir: string,
  settings: Readonly<Record<string, string>> = {},
  credentials?: Credentials,
): Promise<RunningSinebar> {
  if (!existsSync(dataDir)) await copyDataFolder('empty', dataDir);
  const { url, running } = await startBuiltProduct('standalone', {
    env: { ...settings, SINEBAR_DATA_DIR: dataDir, DATABASE_URL: undefined },
  });
  const client = await connect({ url, ...(credentials && { credentials }) });
  return { client, url, stop: async () => void (await running.stop(30_000)) };
}

export interface CommandResult {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs a command as typed, with only the given environment. */
export async function typed(
  // The options differ from command to command.
  command: Pick<Command<Record<string, never>>, 'name' | 'help' | 'words'> & { options: object; run: unknown },
  words: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  failureCode?: number,
): Promise<CommandResult> {
  let stdout = '';
  let stderr = '';
  const code = await runCommandLine(
    command as Command<Record<string, never>>,
    words,
    {
      env,
      signal: new AbortController().signal,
      print: (line) => (stdout += `${line}\n`),
      stderr: { write: (text: string) => (stderr += text), isTTY: false } as unknown as NodeJS.WriteStream,
    },
    failureCode,
  );
  return { code, stdout, stderr };
}
