import { SinebarClient, type Credentials } from '@sinebar/client';
import { defineSettings, loadSettings, settingType } from '@sinebar/service-kit';
import { UsageError, type CommandContext } from '../../command-line/command.js';

const signInSettings = defineSettings({
  SINEBAR_USER: { schema: settingType.optionalText(), description: 'user of the server' },
  SINEBAR_PASSWORD: { schema: settingType.optionalText(), description: 'password of that user', secret: true },
  SINEBAR_TOKEN: { schema: settingType.optionalText(), description: 'access token, in the place of user and password', secret: true },
});

export const SERVER_OPTIONS = { server: { type: 'string' }, user: { type: 'string' } } as const;

/** For the help of commands. */
export const SERVER_HELP = `
  --server URL      the server, as in a browser: http://localhost:8080
  --user NAME       or SINEBAR_USER; its password is read from SINEBAR_PASSWORD or from the file SINEBAR_PASSWORD_FILE. SINEBAR_TOKEN or
                    SINEBAR_TOKEN_FILE: an access token instead`.slice(1);

/** How often a request is tried again while the server says that it is busy. */
const RETRIES = 10;

/** @throws UsageError when something is missing */
export function clientOf(
  values: { server?: string | undefined; user?: string | undefined },
  { env }: Pick<CommandContext, 'env'>,
): SinebarClient {
  if (values.server === undefined) throw new UsageError('Missing: --server URL.');
  const { values: settings } = loadSettings(signInSettings, env);
  const username = values.user ?? settings.SINEBAR_USER;
  const { SINEBAR_PASSWORD: password, SINEBAR_TOKEN: token } = settings;
  if (username !== undefined && token !== undefined) throw new UsageError('Give either a user or SINEBAR_TOKEN, not both.');
  if (username !== undefined && password === undefined)
    throw new UsageError(`The password of ${username} is missing: SINEBAR_PASSWORD or SINEBAR_PASSWORD_FILE.`);
  const credentials: Credentials | undefined =
    token !== undefined ? { token } : username !== undefined ? { username, password: password ?? '' } : undefined;
  try {
    return new SinebarClient({ url: values.server, retries: RETRIES, ...(credentials && { credentials }) });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}
