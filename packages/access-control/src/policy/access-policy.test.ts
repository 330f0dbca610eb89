import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { EVERYONE, PART_RIGHTS, SERVER_RIGHTS, userKeyOf, type PartRight, type Right } from '../principal.ts';
import { PathScope } from '../path-scope.ts';
import { readPolicy, storedPolicyPath, type AccessPolicy } from './access-policy.ts';
import { PolicyError, type PolicyProblem } from './policy-problem.ts';

const HASH = '$argon2id$v=19$m=19456,t=2,p=1$c29tZXNhbHRzb21lc2FsdA$2YpVSh3pWL2JsCIbDHsmrqx5pnMHuRJDyvKSnr5yF7w';
const ALL_PART_RIGHTS = [...PART_RIGHTS];

interface Grant {
  path?: string;
  rights: readonly string[];
}

function policyOf(roles: Record<string, readonly Grant[]>, more: object = {}): AccessPolicy {
  return readPolicy({ roles: Object.fromEntries(Object.entries(roles).map(([role, grants]) => [role, { grants }])), ...more });
}

/** Returns the rights of a user with all the roles. */
function rightsOf(roles: Record<string, readonly Grant[]>) {
  const policy = policyOf(roles, { users: { ada: { password: HASH, roles: Object.keys(roles) } } });
  return policy.principalOf(policy.userNamed('ada')!);
}

function problemsWith(document: unknown): readonly PolicyProblem[] {
  try {
    readPolicy(document);
  } catch (error) {
    if (error instanceof PolicyError) return error.problems;
    throw error;
  }
  return [];
}

describe('users of the same name with different sign-ins', () => {
  const policy = readPolicy({ roles: { r: { grants: [] } }, users: { ada: { password: HASH, roles: ['r'] } } });
  const byPassword = userKeyOf(policy.principalOf(policy.userNamed('ada')!));
  const byToken = (claims: object) => userKeyOf(policy.principalOfClaims('ada', { ...claims }));

  it('are different users', () => expect(byToken({ sub: '7' })).not.toBe(byPassword));
  it('are different users by different subjects', () => expect(byToken({ sub: '7' })).not.toBe(byToken({ sub: '8' })));
  it('are one user by the same subject', () => expect(byToken({ sub: '7' })).toBe(byToken({ sub: '7', iat: 1 })));
  it('is found again by what is kept of it, with the rights of now', () => {
    const ada = policy.principalOf(policy.userNamed('ada')!);
    expect(policy.principalOfStored({ name: 'ada', userKey: userKeyOf(ada) })).toBe(ada);
    expect(policy.principalOfStored({ name: 'ada', userKey: 'oidc:name:ada' })).toBeUndefined();
    expect(policy.principalOfStored({ name: 'bob', userKey: 'basic:bob' })).toBeUndefined();
    const claims = { sub: '7' };
    expect(policy.principalOfStored({ name: 'ada', userKey: byToken(claims), claims })?.claims).toBe(claims);
    expect(policy.principalOfStored({ name: 'ada', userKey: byToken({ sub: '8' }), claims })).toBeUndefined();
  });
  it('are different users when they have no subject', () => expect(byToken({})).not.toBe(byPassword));
});

describe('access policy', () => {
  it('grants the union of the grants of all roles [D8.2]', () => {
    const ada = rightsOf({
      reader: [{ path: '/A', rights: ['plan:read'] }],
      writer: [{ path: '/B/C', rights: ['plan:read', 'plan:write'] }, { rights: ['catalog:write'] }],
    });
    expect(ada.name).toBe('ada');
    expect(ada.scopeOf('plan:read')).toEqual(PathScope.below('pa/', 'pb/pc/'));
    expect(ada.scopeOf('plan:write')).toEqual(PathScope.below('pb/pc/'));
    expect(ada.scopeOf('measurement:read')).toEqual(PathScope.NOTHING);
    expect(SERVER_RIGHTS.filter((right) => ada.holds(right))).toEqual(['catalog:write']);
  });

  it('does not include /AB below /A [D8.2]', () => {
    const readable = rightsOf({ r: [{ path: '/A', rights: ['plan:read'] }] }).scopeOf('plan:read');
    const isReadable = (path: string) => readable.includes(storedPolicyPath(path));
    const below = ['/A', '/a', '/A/B', 'PC:/A/x/'];
    const beside = ['/', '/AB', '/A B', '/B/A', 'C:/A/', '/A\\/B', '/A.'];
    expect([...below, ...beside].filter(isReadable)).toEqual(below);
  });

  it('reads names with slash, backslash and sharp s like the plan', () => {
    const readable = rightsOf({ r: [{ path: '/Straße\\/Nord/a\\\\b', rights: ['plan:read'] }] }).scopeOf('plan:read');
    expect(readable).toEqual(PathScope.below('pstrasse\\/nord/pa\\\\b/'));
  });

  it('reads / as everything, and removes grants inside another grant', () => {
    const one = rightsOf({
      r: [
        { path: '/A', rights: ['plan:read'] },
        { path: '/a/b', rights: ['plan:read'] },
        { path: '/A/', rights: ['plan:read'] },
      ],
    });
    expect(one.scopeOf('plan:read')).toEqual(PathScope.below('pa/'));
    const all = rightsOf({
      r: [
        { path: '/A', rights: ['plan:read'] },
        { path: '/', rights: ['plan:read'] },
      ],
    });
    expect(all.scopeOf('plan:read')).toBe(PathScope.EVERYTHING);
  });

  it('includes notes in the right to write measurements, not the other way round', () => {
    const writer = rightsOf({ r: [{ path: '/A', rights: ['measurement:write'] }] });
    expect(writer.scopeOf('note:write')).toEqual(PathScope.below('pa/'));
    const both = rightsOf({ r: [{ path: '/A', rights: ['note:write', 'measurement:write'] }] });
    expect(both.rightsKey).toBe(writer.rightsKey);
    const leader = rightsOf({ r: [{ path: '/A', rights: ['note:write'] }] });
    expect(leader.scopeOf('measurement:write').isEmpty).toBe(true);
    expect(leader.rightsKey).not.toBe(writer.rightsKey);
  });

  it('returns equal keys for equal rights in any order and spelling, and different keys for different rights', () => {
    const key = (grants: readonly Grant[]) => rightsOf({ r: grants }).rightsKey;
    const ab = key([
      { path: '/A', rights: ['plan:read'] },
      { path: '/B', rights: ['plan:read', 'rawData:read'] },
    ]);
    expect(
      key([
        { path: '/b/', rights: ['rawData:read'] },
        { path: '/B', rights: ['plan:read'] },
        { path: '/a', rights: ['plan:read'] },
      ]),
    ).toBe(ab);
    expect(
      key([
        { path: '/A', rights: ['plan:read'] },
        { path: '/A/x', rights: ['plan:read'] },
        { path: '/B', rights: ['plan:read', 'rawData:read'] },
      ]),
    ).toBe(ab);
    const others = [
      key([
        { path: '/A', rights: ['plan:read'] },
        { path: '/B', rights: ['plan:read'] },
      ]),
      key([
        { path: '/A', rights: ['plan:read', 'rawData:read'] },
        { path: '/B', rights: ['plan:read'] },
      ]),
      key([{ path: '/A', rights: ['plan:read'] }, { path: '/B', rights: ['plan:read', 'rawData:read'] }, { rights: ['catalog:write'] }]),
      key([]),
    ];
    expect(new Set([...others, ab]).size).toBe(others.length + 1);
    expect(key([{ path: '/', rights: ALL_PART_RIGHTS }, { rights: [...SERVER_RIGHTS] }])).toBe(EVERYONE.rightsKey);
  });

  it('agrees with the single grants for random grants and paths [D8.2]', () => {
    const path = fc.array(fc.constantFrom('a', 'ab', 'b', 'A', '\\/'), { maxLength: 3 }).map((names) => `/${names.join('/')}`);
    const grant = fc.record({ path, rights: fc.subarray(ALL_PART_RIGHTS, { minLength: 1 }) });
    fc.assert(
      fc.property(fc.array(grant, { maxLength: 6 }), path, fc.constantFrom(...ALL_PART_RIGHTS), (grants, itemPath, right: PartRight) => {
        const policy = policyOf({ r: grants }, { users: { ada: { password: HASH, roles: ['r'] } } });
        const ada = policy.principalOf(policy.userNamed('ada')!);
        const stored = storedPolicyPath(itemPath);
        expect(ada.scopeOf(right).includes(stored)).toBe(policy.grantsFor(['r'], right, stored).length > 0);
        const shuffled = rightsOf({ r: [...grants].reverse(), s: grants.slice(1) });
        expect(shuffled.rightsKey).toBe(ada.rightsKey);
      }),
    );
  });

  it('finds users in any Unicode normalisation, but with the same case', () => {
    const policy = policyOf({ r: [] }, { users: { 'Jos\u00e9': { password: HASH, roles: ['r'] } } });
    expect(policy.userNamed('Jose\u0301')?.name).toBe('Jos\u00e9');
    expect(policy.userNamed('jos\u00e9')).toBeUndefined();
    expect(policy.userNamed('constructor')).toBeUndefined();
  });

  it.each<[string, object, string[]]>([
    ['a text', { groups: 'qa' }, ['inspector']],
    ['one of a list', { groups: ['x', 'qa'] }, ['inspector']],
    ['a part of a text', { groups: 'qa2' }, []],
    ['a list inside a list', { groups: [['qa']] }, []],
    ['a claim inside others', { realm_access: { roles: ['admin'] } }, ['administrator']],
    ['a name with dots instead', { 'realm_access.roles': ['admin'] }, []],
    ['a scope among others', { scope: 'openid write profile' }, ['writer']],
    ['a claim that only has to be there', { email: 'a@b' }, ['guest']],
    ['a claim that is null', { email: null }, []],
    ['a number', { level: 7 }, ['inspector']],
    ['its text', { level: '7' }, []],
    ['members of the prototype', {}, []],
  ])('maps %s to roles', (_what, claims, roles) => {
    const policy = policyOf(
      { inspector: [], administrator: [], writer: [], guest: [] },
      {
        claims: [
          { claim: 'groups', value: 'qa', roles: ['inspector'] },
          { claim: ['realm_access', 'roles'], value: 'admin', roles: ['administrator'] },
          { claim: 'scope', value: 'write', roles: ['writer'] },
          { claim: 'email', roles: ['guest'] },
          { claim: 'level', value: 7, roles: ['inspector'] },
          { claim: 'toString', roles: ['administrator'] },
        ],
      },
    );
    expect(policy.rolesOfClaims(claims as Record<string, unknown>)).toEqual(roles);
  });

  it('has a version that changes with its text', () => {
    const version = (rights: Right[]) => policyOf({ r: [{ path: '/A', rights }] }).version;
    expect(version(['plan:read'])).toBe(version(['plan:read']));
    expect(version(['plan:read'])).not.toBe(version(['plan:write']));
  });

  it.each<[string, unknown, [string, string]]>([
    [
      'an unknown right',
      { roles: { r: { grants: [{ path: '/', rights: ['plan:delete'] }] } } },
      ['roles.r.grants.0.rights.0', 'is no right; the rights are plan:read'],
    ],
    [
      'an unknown role of a user',
      { roles: {}, users: { ada: { password: HASH, roles: ['clerk'] } } },
      ['users.ada.roles.0', 'there is no role "clerk"'],
    ],
    ['an unknown role of a claim', { roles: {}, claims: [{ claim: 'a', roles: ['b'] }] }, ['claims.0.roles.0', 'there is no role "b"']],
    [
      'a path without its slash',
      { roles: { r: { grants: [{ path: 'A', rights: ['plan:read'] }] } } },
      ['roles.r.grants.0.path', 'does not begin with "/"'],
    ],
    [
      'an empty path',
      { roles: { r: { grants: [{ path: '', rights: ['plan:read'] }] } } },
      ['roles.r.grants.0.path', 'does not begin with "/"'],
    ],
    [
      'a path with a type marker',
      { roles: { r: { grants: [{ path: 'P:/A/', rights: ['plan:read'] }] } } },
      ['roles.r.grants.0.path', 'without a type marker'],
    ],
    [
      'an empty name in a path',
      { roles: { r: { grants: [{ path: '/A//B', rights: ['plan:read'] }] } } },
      ['roles.r.grants.0.path', 'A name is empty'],
    ],
    [
      'a wrong escape in a path',
      { roles: { r: { grants: [{ path: '/A\\B', rights: ['plan:read'] }] } } },
      ['roles.r.grants.0.path', 'a backslash is written'],
    ],
    [
      'a right on parts without path',
      { roles: { r: { grants: [{ rights: ['plan:read'] }] } } },
      ['roles.r.grants.0.rights.0', 'needs a path'],
    ],
    [
      'a right on the server with a path',
      { roles: { r: { grants: [{ path: '/', rights: ['catalog:write'] }] } } },
      ['roles.r.grants.0.rights.0', 'without path'],
    ],
    [
      'a password that is no hash',
      { roles: {}, users: { ada: { password: 'open-sesame', roles: [] } } },
      ['users.ada.password', 'is not an argon2id hash'],
    ],
    [
      'a hash of a weaker kind',
      { roles: {}, users: { ada: { password: HASH.replace('argon2id', 'argon2d'), roles: [] } } },
      ['users.ada.password', 'is not an argon2id hash'],
    ],
    [
      'a user without password',
      { roles: {}, users: { ada: { roles: [] } } },
      ['users.ada.password', 'is missing; it must be an argon2id hash'],
    ],
    ['a colon in a name', { roles: {}, users: { 'a:b': { password: HASH, roles: [] } } }, ['users.a:b', 'has no colon']],
    [
      'the same user in two spellings',
      { roles: {}, users: { '\u00e9': { password: HASH, roles: [] }, 'e\u0301': { password: HASH, roles: [] } } },
      ['users.e\u0301', 'is there twice'],
    ],
    ['a member that is not known', { roles: {}, rolls: {} }, ['rolls', 'is not known here']],
    ['no roles', {}, ['roles', 'is missing; it must be a mapping']],
    ['a list instead of a mapping', [], ['', 'must be a mapping with roles']],
    ['nothing', null, ['', 'must be a mapping with roles']],
  ])('is refused with %s [D8.2]', (_what, document, [at, message]) => {
    const problems = problemsWith(document);
    expect(problems.map((problem) => problem.at.join('.'))).toEqual([at]);
    expect(problems[0]?.message).toContain(message);
    expect(problems[0]?.message).not.toContain('open-sesame');
  });
});
