import { SinebarClient } from '@sinebar/client';
import { credentialsFromEnvironment } from '@sinebar/client/node';
import { loadSettings, signInSettings } from '@sinebar/runtime';
import { UsageError, type CommandContext } from '../../command-line/command.ts';

export const SERVER_OPTIONS = { server: { type: 'string' }, user: { type: 'string' } } as const;

/** Help text about the server options. */
export const SERVER_HELP = `
  --server URL      the server, as in a browser: http://localhost:8080
  --user NAME       or SINEBAR_USER; its password is read from SINEBAR_PASSWORD or from the file SINEBAR_PASSWORD_FILE. SINEBAR_TOKEN or
                    SINEBAR_TOKEN_FILE: an access token instead`.slice(1);

/** Maximum retries while the server is busy. */
const RETRIES = 10;

/** @throws UsageError when something is missing */
export function clientOf(
  values: { server?: string | undefined; user?: string | undefined },
  { env }: Pick<CommandContext, 'env'>,
): SinebarClient {
  if (values.server === undefined) throw new UsageError('Missing: --server URL.');
  const { values: settings } = loadSettings(signInSettings, env);
  try {
    const credentials = credentialsFromEnvironment({ ...settings, SINEBAR_USER: values.user ?? settings.SINEBAR_USER });
    return new SinebarClient({ url: values.server, retries: RETRIES, ...(credentials && { credentials }) });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}
