import { readFileSync } from 'node:fs';
import { errorCode } from '@sinebar/concurrency';
import { z } from 'zod';

export interface Setting {
  /** Reads the text of the variable, or `undefined` when it is not set. */
  schema: z.ZodType;
  /** Description in one sentence, with the unit. */
  description: string;
  /** True if the value is never printed; `NAME_FILE` may then name a file that holds it. */
  secret?: boolean;
}

export type SettingDefinitions = Readonly<Record<string, Setting>>;
export type SettingsOf<D extends SettingDefinitions> = { readonly [K in keyof D]: z.output<D[K]['schema']> };

export interface LoadedSettings<D extends SettingDefinitions> {
  values: SettingsOf<D>;
  /** Names of unknown `SINEBAR_*` variables, most likely typing errors. */
  unknown: string[];
}

export interface SettingRow {
  name: string;
  /** Value, masked when secret. */
  value: string;
  source: 'environment' | 'file' | 'default' | 'not set';
  description: string;
}

/** Thrown with every problem of the settings, each with the name of its variable. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(`these settings need a change:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
    this.problems = problems;
  }
}

export type Environment = Readonly<Record<string, string | undefined>>;
type ReadText = (path: string) => string;

const readFromDisk: ReadText = (path) => readFileSync(path, 'utf8');

/** Keeps the exact type of each setting. */
export function defineSettings<const D extends SettingDefinitions>(definitions: D): D {
  return definitions;
}

/**
 * Reads all settings from the environment, each also from the file named by `NAME_FILE`. An empty variable counts as not set.
 * @throws SettingsError that lists every problem
 */
export function loadSettings<D extends SettingDefinitions>(
  definitions: D,
  env: Environment,
  readText: ReadText = readFromDisk,
): LoadedSettings<D> {
  const problems: string[] = [];
  const values: Record<string, unknown> = {};
  for (const [name, setting] of Object.entries(definitions)) {
    try {
      const parsed = setting.schema.safeParse(textOf(name, env, readText).text);
      if (parsed.success) values[name] = parsed.data;
      else problems.push(`${name}: ${parsed.error.issues.map(({ message }) => message).join('; ')} (${setting.description})`);
    } catch (error) {
      problems.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  if (problems.length > 0) throw new SettingsError(problems);
  return { values: values as SettingsOf<D>, unknown: unknownVariables(definitions, env) };
}

/** Picks the settings of some definitions from those that a process has loaded. @throws Error for one that it has not */
export function pickSettings<D extends SettingDefinitions>(loaded: Readonly<Record<string, unknown>>, definitions: D): SettingsOf<D> {
  const names = Object.keys(definitions);
  const missing = names.filter((name) => !(name in loaded));
  if (missing.length > 0) throw new Error(`This process has no settings ${missing.join(', ')}.`);
  return Object.fromEntries(names.map((name) => [name, loaded[name]])) as SettingsOf<D>;
}

/** Describes the effective settings for `check-config`; a problem replaces the value. */
export function describeSettings(definitions: SettingDefinitions, env: Environment, readText: ReadText = readFromDisk): SettingRow[] {
  return Object.entries(definitions).map(([name, setting]) => {
    const row = (value: string, source: SettingRow['source']): SettingRow => ({ name, value, source, description: setting.description });
    try {
      const { text, source } = textOf(name, env, readText);
      const parsed = setting.schema.safeParse(text);
      if (!parsed.success) return row(`PROBLEM: ${parsed.error.issues.map(({ message }) => message).join('; ')}`, source);
      if (parsed.data === undefined) return row('', 'not set');
      if (setting.secret) return row('********', source);
      return row(typeof parsed.data === 'string' ? withoutPassword(parsed.data) : JSON.stringify(parsed.data), source);
    } catch (error) {
      return row(`PROBLEM: ${error instanceof Error ? error.message : String(error)}`, 'file');
    }
  });
}

export function unknownVariables(definitions: SettingDefinitions, env: Environment): string[] {
  const known = new Set(Object.keys({ ...definitions, ...signInSettings }).flatMap((name) => [name, `${name}_FILE`]));
  return Object.keys(env)
    .filter((name) => name.startsWith('SINEBAR_') && !known.has(name))
    .sort();
}

function textOf(name: string, env: Environment, readText: ReadText): { text: string | undefined; source: SettingRow['source'] } {
  const direct = env[name] || undefined;
  const file = env[`${name}_FILE`] || undefined;
  if (direct !== undefined && file !== undefined) throw new Error(`give either ${name} or ${name}_FILE, not both`);
  if (direct !== undefined) return { text: direct, source: 'environment' };
  if (file === undefined) return { text: undefined, source: 'default' };
  try {
    return { text: readText(file).replace(/\r?\n$/, ''), source: 'file' };
  } catch (error) {
    throw new Error(`the file named by ${name}_FILE cannot be read (${errorCode(error) ?? String(error)})`, {
      cause: error,
    });
  }
}

function withoutPassword(text: string): string {
  return text.replace(/(\w+:\/\/[^:/@\s]*):[^@\s]*@/g, '$1:********@');
}

export const settingType = {
  text: (fallback?: string) => (fallback === undefined ? z.string('is required') : z.string().default(fallback)),
  optionalText: () => z.string().optional(),
  integer: (range: { min: number; max: number }, fallback: number) =>
    z
      .string()
      .regex(/^-?\d{1,15}$/, 'must be a whole number')
      .transform(Number)
      .refine((value) => value >= range.min && value <= range.max, `must be from ${range.min} to ${range.max}`)
      .default(fallback),
  optionalDecimal: (range: { min: number; max: number }) =>
    z
      .string()
      .regex(/^\d{1,9}(\.\d{1,9})?$/, 'must be a number such as 1.67')
      .transform(Number)
      .refine((value) => value >= range.min && value <= range.max, `must be from ${range.min} to ${range.max}`)
      .optional(),
  /** A port, 0 for a free one, or `off`. */
  portOrOff: (fallback: number | 'off') =>
    z
      .string()
      .regex(/^(\d{1,5}|off)$/i, 'must be a port from 0 to 65535, or off')
      .transform((value) => (/^off$/i.test(value) ? ('off' as const) : Number(value)))
      .refine((value) => value === 'off' || value <= 65_535, 'must be a port from 0 to 65535, or off')
      .default(fallback),
  flag: (fallback: boolean) =>
    z
      .string()
      .regex(/^(on|off|true|false|1|0)$/i, 'must be on or off')
      .transform((value) => /^(on|true|1)$/i.test(value))
      .default(fallback),
  choice: <const T extends readonly [string, ...string[]]>(values: T, fallback: T[number]) =>
    z
      .string()
      .transform((value) => value.toLowerCase())
      .pipe(z.enum(values, `must be one of ${values.join(', ')}`))
      .default(fallback as never),
  optionalChoice: <const T extends readonly [string, ...string[]]>(values: T) =>
    z
      .string()
      .transform((value) => value.toLowerCase())
      .pipe(z.enum(values, `must be one of ${values.join(', ')}`))
      .optional(),
  list: () =>
    z
      .string()
      .transform((value) =>
        value
          .split(',')
          .map((item) => item.trim())
          .filter((item) => item !== ''),
      )
      .default([]),
  url: (protocols: readonly string[], fallback?: string) => urlSetting(protocols, fallback, (value) => [value]),
  /** One address, or several with commas between them. */
  urls: (protocols: readonly string[], fallback?: string) => urlSetting(protocols, fallback, (value) => value.split(',')),
};

function urlSetting(protocols: readonly string[], fallback: string | undefined, addressesIn: (value: string) => readonly string[]) {
  const isRight = (text: string) => URL.canParse(text) && protocols.includes(new URL(text).protocol.slice(0, -1));
  const schema = z.string('is required').refine((value) => addressesIn(value).every(isRight), {
    error: ({ input }) =>
      `must be an address that begins with ${protocols.map((protocol) => `${protocol}://`).join(' or ')}` +
      (String(input).includes('@') ? '; percent-encode the reserved characters of user and password (@ is %40, / is %2F)' : ''),
  });
  return fallback === undefined ? schema : schema.default(fallback);
}

/** Settings with which commands sign in to a server. The server ignores them; its environment may hold them for commands that run in it. */
export const signInSettings = defineSettings({
  SINEBAR_USER: { schema: settingType.optionalText(), description: 'user of the server' },
  SINEBAR_PASSWORD: { schema: settingType.optionalText(), description: 'password of that user', secret: true },
  SINEBAR_TOKEN: { schema: settingType.optionalText(), description: 'access token, in the place of user and password', secret: true },
});
