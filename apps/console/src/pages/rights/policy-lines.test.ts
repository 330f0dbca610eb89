import { describe, expect, it } from '@jest/globals';
import { policyLines } from './policy-lines';

describe('lines of the policy file', () => {
  it('add a grant to a role', () => {
    expect(policyLines({ role: 'inspector', path: '/Pumps/Housing', partRights: ['plan:write'], serverRights: ['catalog:write'] })).toBe(
      `roles:
  inspector:
    grants:
      - path: /Pumps/Housing
        rights: [plan:write]
      - rights: [catalog:write]`,
    );
  });

  it('make a role for one user, who keeps the roles that he has', () => {
    const user = { name: 'o: hara', roles: ['reader'] };
    expect(policyLines({ user, path: "/Pump's", partRights: ['plan:read'], serverRights: [] })).toBe(
      `roles:
  'additional rights of o: hara':
    grants:
      - path: '/Pump''s'
        rights: [plan:read]
users:
  'o: hara':
    roles: [reader, 'additional rights of o: hara']`,
    );
  });
});
