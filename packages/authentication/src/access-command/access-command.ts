import { createInterface } from 'node:readline';
import { readFileSync } from 'node:fs';
import {
  isServerRight,
  PART_RIGHTS,
  policyJsonSchema,
  SERVER_RIGHTS,
  storedPolicyPath,
  type AccessPolicy,
  type Claims,
  type Right,
  type RoleGrant,
} from '@sinebar/access-control';
import { commandText } from '@sinebar/contracts';
import { GrammarError } from '@sinebar/query-language';
import { hashPassword } from '../basic/password-hash.ts';
import { PolicyFileError, readPolicyOf, readText } from '../policy/policy-source.ts';
import { lineOf } from '../policy/policy-text.ts';

export interface CommandStreams {
  input: NodeJS.ReadableStream & { isTTY?: boolean };
  output: (line: string) => void;
  errors: NodeJS.WritableStream;
}

const USAGE = `The access policy: who may do what (docs/access-policy.md)

  ${commandText('access hash')}
      makes the hash of a password for the policy; asks for it, or reads it from standard input
  ${commandText('access check [--policy FILE]')}
      says whether a policy can be in force, and with which lines something is wrong
  ${commandText('access explain USER PATH RIGHT')}
      says whether a user holds a right on a part, and by which grant; exit code 0 yes, 1 no, 2 error
  ${commandText('access explain USER RIGHT')}
      the same for a right on the whole server
  ${commandText('access explain --claims FILE …')}
      the same for a token with the claims that a JSON file holds
  ${commandText('access schema')}
      prints the JSON Schema of the policy

The policy is the file of --policy FILE, else that of SINEBAR_ACCESS_POLICY.`;

/** A wrong call of the command; the exit code is 2. */
class UsageError extends Error {}

/**
 * Runs the command `access`.
 * @param args without the name of the program
 * @returns the exit code: 0 yes or done, 1 no, 2 a wrong call or an invalid policy
 */
export async function runAccessCommand(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  streams: CommandStreams,
): Promise<number> {
  try {
    const { values, rest } = readOptions(args);
    const [command, ...operands] = rest;
    switch (command ?? '') {
      case 'hash':
        if (operands.length > 0)
          throw new UsageError('A password on the command line can be read by others. Leave it out; the command asks for it.');
        streams.output(await hashPassword(await readPassword(streams)));
        return 0;
      case 'schema':
        streams.output(JSON.stringify(policyJsonSchema(), undefined, 2));
        return 0;
      case 'check': {
        const { file, policy } = await openPolicy(values.policy, env);
        streams.output(`${file} can be in force: ${policy.users.length} users, version ${policy.version}`);
        return 0;
      }
      case 'explain':
        return await explain(operands, values, env, streams);
      case '--help':
      case '-h':
        streams.output(USAGE);
        return 0;
      default:
        throw new UsageError(command === undefined ? 'Name a command.' : `There is no command ${command}.`);
    }
  } catch (error) {
    if (!(error instanceof UsageError) && !(error instanceof PolicyFileError)) throw error;
    streams.errors.write(error instanceof UsageError ? `${error.message}\n\n${USAGE}\n` : `${error.message}\n`);
    return 2;
  }
}

interface Options {
  policy?: string;
  claims?: string;
}

function readOptions(args: readonly string[]): { values: Options; rest: string[] } {
  const values: Options = {};
  const rest: string[] = [];
  for (let i = 0; i < args.length; i += 1) {
    const argument = args[i] as string;
    if (argument !== '--policy' && argument !== '--claims') {
      rest.push(argument);
      continue;
    }
    i += 1;
    const value = args[i];
    if (value === undefined) throw new UsageError(`${argument} needs the path of a file.`);
    values[argument === '--policy' ? 'policy' : 'claims'] = value;
  }
  return { values, rest };
}

async function openPolicy(
  given: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
): Promise<{ file: string; text: string; policy: AccessPolicy }> {
  const file = given ?? (env['SINEBAR_ACCESS_POLICY'] || undefined);
  if (file === undefined) throw new UsageError('The command needs a policy. Give --policy FILE or set SINEBAR_ACCESS_POLICY.');
  const text = await readText(file);
  return { file, text, policy: readPolicyOf(file, text) };
}

async function explain(
  operands: readonly string[],
  options: Options,
  env: Readonly<Record<string, string | undefined>>,
  streams: CommandStreams,
): Promise<number> {
  const rest = [...operands];
  const user = options.claims === undefined ? rest.shift() : undefined;
  const rightText = rest.pop();
  const [path, ...tooMany] = rest;
  if ((options.claims === undefined && user === undefined) || rightText === undefined || tooMany.length > 0) {
    throw new UsageError('The command explain takes a user (or --claims FILE), the path of a part and a right.');
  }
  const right = readRight(rightText);
  if (path === undefined && !isServerRight(right)) throw new UsageError(`${right} is a right on parts. Name a part, / for the root.`);
  const storedPath = path === undefined ? undefined : readStoredPath(path);
  const { file, text, policy } = await openPolicy(options.policy, env);
  const { name, roles } = options.claims === undefined ? rolesOfUser(policy, user as string) : rolesOfToken(policy, options.claims);
  const grants = policy.grantsFor(roles ?? [], right, storedPath);
  const question = `${name} may ${grants.length > 0 ? '' : 'not '}${right}${isServerRight(right) ? '' : ` on ${path ?? '/'}`}`;
  if (grants.length === 0) {
    const why = roles === undefined ? 'there is no such user' : roles.length === 0 ? 'no role' : `no grant of ${listOf(roles)} says so`;
    streams.output(`no: ${question}: ${why}`);
    return 1;
  }
  streams.output(`yes: ${question}`);
  for (const grant of grants) streams.output(`  by ${describeGrant(grant)}, ${file} line ${lineOf(text, grant.at)}`);
  return 0;
}

function describeGrant({ role, path }: RoleGrant): string {
  const parts = path === '/' ? '/ (the whole plan)' : `${path} and below`;
  return `the grant of role ${role} on ${path === undefined ? 'the whole server' : parts}`;
}

function listOf(roles: readonly string[]): string {
  return `${roles.length === 1 ? 'role' : 'roles'} ${roles.join(', ')}`;
}

function rolesOfUser(policy: AccessPolicy, name: string): { name: string; roles: readonly string[] | undefined } {
  return { name, roles: policy.userNamed(name)?.roles };
}

function rolesOfToken(policy: AccessPolicy, file: string): { name: string; roles: readonly string[] } {
  let claims: unknown;
  try {
    claims = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new UsageError(`${file} cannot be read as JSON (${error instanceof Error ? error.message : String(error)}).`);
  }
  if (typeof claims !== 'object' || claims === null || Array.isArray(claims))
    throw new UsageError(`${file} must hold an object with the claims.`);
  return { name: 'a token with these claims', roles: policy.rolesOfClaims(claims as Claims) };
}

function readRight(text: string): Right {
  const rights: readonly Right[] = [...PART_RIGHTS, ...SERVER_RIGHTS];
  const right = rights.find((each) => each.toLowerCase() === text.toLowerCase());
  if (right === undefined) throw new UsageError(`${text} is no right. The rights are ${rights.join(', ')}.`);
  return right;
}

function readStoredPath(path: string): string {
  try {
    return storedPolicyPath(path);
  } catch (error) {
    if (!(error instanceof GrammarError)) throw error;
    throw new UsageError(`${path} is no path of a part: ${error.message}`);
  }
}

/** Reads a password: twice and hidden from a terminal, else the first line of the input. */
async function readPassword({ input, errors }: CommandStreams): Promise<string> {
  if (input.isTTY !== true) {
    const lines = createInterface({ input, crlfDelay: Infinity });
    for await (const line of lines) {
      lines.close();
      return checkPassword(line);
    }
    throw new UsageError('Standard input is empty. Give the password as its first line.');
  }
  const first = checkPassword(await askHidden('Password: ', input as NodeJS.ReadStream, errors));
  if ((await askHidden('Once more: ', input as NodeJS.ReadStream, errors)) !== first)
    throw new UsageError('The two passwords differ. Run the command again.');
  return first;
}

function checkPassword(password: string): string {
  if (password === '') throw new UsageError('The password is empty. Give one.');
  if (password.length > 1024) throw new UsageError('The password has more than 1,024 characters. Give a shorter one.');
  return password;
}

function askHidden(question: string, input: NodeJS.ReadStream, errors: NodeJS.WritableStream): Promise<string> {
  errors.write(question);
  return new Promise((resolve, reject) => {
    let typed = '';
    const finish = (act: () => void) => {
      input.off('data', onData);
      input.setRawMode(false);
      input.pause();
      errors.write('\n');
      act();
    };
    const onData = (chunk: string) => {
      for (const character of chunk) {
        if (character === '\r' || character === '\n') return finish(() => resolve(typed));
        if (character === '\u0003' || character === '\u0004') return finish(() => reject(new UsageError('The command was interrupted.')));
        typed = character === '\u007f' || character === '\b' ? [...typed].slice(0, -1).join('') : typed + character;
      }
    };
    input.setEncoding('utf8');
    input.setRawMode(true);
    input.resume();
    input.on('data', onData);
  });
}
