import { commandText } from '@sinebar/contracts';
import { z } from 'zod';
import { PART_RIGHTS, SERVER_RIGHTS, type Right } from '../principal.ts';

const MAX_NAME_LENGTH = 255;
const RIGHTS = [...PART_RIGHTS, ...SERVER_RIGHTS] as const satisfies readonly Right[];

/** Argon2id as PHC string; the numbers are memory in KiB, passes and lanes. */
const PASSWORD_HASH = /^\$argon2id\$v=19\$m=\d{1,8},t=\d{1,4},p=\d{1,3}\$[A-Za-z0-9+/]{11,}\$[A-Za-z0-9+/]{22,}$/;

const userName = z
  .string()
  .min(1, 'a user needs a name')
  .max(MAX_NAME_LENGTH, `a user's name has at most ${MAX_NAME_LENGTH} characters`)
  // RFC 7617: the colon separates name and password, and neither holds control characters.
  // oxlint-disable-next-line no-control-regex -- these are the characters to refuse
  .regex(/^[^:\u0000-\u001f\u007f-\u009f]*$/, "a user's name has no colon and no control characters");
const roleName = z
  .string('a role is named by a text')
  .min(1, 'a role needs a name')
  .max(MAX_NAME_LENGTH, `a role's name has at most ${MAX_NAME_LENGTH} characters`);
const roleNames = z
  .array(roleName, 'must be a list of roles, for example [inspector]')
  .describe('names of roles, as they stand under roles');

const grant = z
  .strictObject({
    path: z
      .string('must be the path of a part in quotes, or without, for example /Pump/Housing')
      .optional()
      .describe(
        'Part on which, and on everything below which, the rights hold, for example /Pump/Housing; / is the whole plan. ' +
          'In names / is written \\/ and \\ is \\\\.',
      ),
    rights: z
      .array(z.enum(RIGHTS, `is no right; the rights are ${RIGHTS.join(', ')}`), 'must be a list of rights, for example [plan:read]')
      .min(1, 'must name at least one right')
      .describe(
        'With a path: plan:…, measurement:…, rawData:…, note:write, which measurement:write includes. ' +
          'Without: configuration:write, catalog:write, policy:write, which hold for the whole server.',
      ),
  })
  .describe('Rights on a part and everything below it, or on the whole server');

const role = z
  .strictObject({
    description: z.string().optional(),
    grants: z.array(grant, 'must be a list of grants, each with path and rights').describe('What the role may do; nothing else is allowed'),
  })
  .describe('A set of grants under a name');

const user = z
  .strictObject({
    password: z
      .string(`must be an argon2id hash in quotes; ${commandText('access hash')} makes one`)
      .regex(PASSWORD_HASH, `is not an argon2id hash; ${commandText('access hash')} makes one`)
      .describe('Hash of the password, as the command access hash prints it'),
    roles: roleNames,
  })
  .describe('Somebody who signs in with name and password');

const claim = z
  .strictObject({
    claim: z
      .union(
        [z.string().min(1), z.array(z.string().min(1)).min(1)],
        'must be the name of a claim, or a list of names that leads to one inside others',
      )
      .describe('Name of a claim of the token, for example groups; a list leads to one inside others, for example [realm_access, roles]'),
    value: z
      .union([z.string(), z.number(), z.boolean()], 'must be a text, a number or a truth value')
      .optional()
      .describe('What the claim is, or one of what it lists; left out: the claim is there'),
    roles: roleNames,
  })
  .describe('Roles for tokens of the OpenID Connect provider that carry a claim');

/** The access policy file. spec: decisions.md 8.2 */
export const policySchema = z
  .strictObject(
    {
      $schema: z.string().optional().describe('Address of this schema, for editors'),
      roles: z.record(roleName, role, 'must be a mapping from names of roles to their grants').describe('What one may do, by role'),
      users: z
        .record(userName, user, 'must be a mapping from names of users to password and roles')
        .optional()
        .describe('Who signs in with name and password'),
      claims: z
        .array(claim, 'must be a list, each item with claim, value and roles')
        .optional()
        .describe('Which roles the tokens of the OpenID Connect provider give'),
    },
    'must be a mapping with roles, users and claims',
  )
  .describe('Who may do what in Sinebar');

export type PolicyDocument = z.output<typeof policySchema>;
export type GrantDocument = z.output<typeof grant>;
export type ClaimDocument = z.output<typeof claim>;

/** Returns the JSON Schema of the policy for editors and other programs. */
export function policyJsonSchema(): object {
  return { title: 'Sinebar access policy', ...z.toJSONSchema(policySchema, { io: 'input', target: 'draft-7' }) };
}
