import { PART_RIGHTS, SERVER_RIGHTS, storedPolicyPath, type AccessPolicy } from '@sinebar/access-control';
import { accessPolicySchema, ServiceError, type AccessPolicyAnswer } from '@sinebar/contracts';
import { answers, defineRoute, grammarParameter, reply, type Route } from '@sinebar/http';
import { z } from 'zod';

const EXAMPLE: AccessPolicyAnswer = {
  version: '6d3f0c5a9be1a4c7',
  roles: [{ name: 'inspector', grants: [{ path: '/Pumps', rights: ['plan:read', 'measurement:read'] }] }],
  users: [{ name: 'ada', roles: ['inspector'] }],
  claims: [{ claim: ['groups'], value: 'quality-engineers', roles: ['inspector'] }],
};

/** The route that shows the access policy; 404 on a server without sign-in. @param policy the policy in force */
export function policyRoutes(policy: () => AccessPolicy | undefined): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/dataServiceRest/accessPolicy',
      permission: 'policy:write',
      deadline: 'read',
      documentation: {
        tag: 'Service',
        summary: 'Roles and users of the access policy, and why somebody may do something',
        description: 'Shows the policy that is in force, without passwords. It is changed in its file.',
        parameters: {
          user: { description: 'Explains the rights of this user of the policy', example: 'ada' },
          role: {
            description: 'Explains the rights of users with this role, such as those of a provider; not together with user',
            example: 'inspector',
          },
          partPath: { description: 'The part on which the rights are explained; without it, the whole plan', example: '/Pumps/Housing' },
        },
        responses: { 200: answers.json('The policy', accessPolicySchema, EXAMPLE) },
        errors: ['NotFound'],
      },
      query: z.object({
        user: z.string().optional(),
        role: z.string().optional(),
        partPath: grammarParameter(storedPolicyPath).optional(),
      }),
      handle: ({ query: { user, role, partPath } }) => {
        if (user !== undefined && role !== undefined) {
          throw new ServiceError('InvalidRequest', 'Parameters user and role exclude each other; leave one out.');
        }
        const inForce = policy();
        if (inForce === undefined) throw new ServiceError('NotFound', 'This server has no access policy: everybody may do everything.');
        const roles = rolesOf(inForce, user, role);
        const rights = [...PART_RIGHTS, ...SERVER_RIGHTS];
        return Promise.resolve(
          reply.json({
            ...inForce.outline(),
            ...(roles !== undefined && {
              explanation: {
                roles,
                rights: rights.map((right) => {
                  const grants = inForce.grantsFor(roles, right, partPath ?? '');
                  return { right, isHeld: grants.length > 0, grants: grants.map(({ role: name, path }) => ({ role: name, path })) };
                }),
              },
            }),
          }),
        );
      },
    }),
  ];
}

function rolesOf(policy: AccessPolicy, user: string | undefined, role: string | undefined): readonly string[] | undefined {
  if (user !== undefined) {
    const found = policy.userNamed(user);
    if (found === undefined) throw new ServiceError('NotFound', `The access policy has no user ${JSON.stringify(user)}.`);
    return found.roles;
  }
  if (role !== undefined && !policy.hasRole(role)) {
    throw new ServiceError('NotFound', `The access policy has no role ${JSON.stringify(role)}.`);
  }
  return role === undefined ? undefined : [role];
}
