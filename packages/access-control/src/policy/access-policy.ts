import { createHash } from 'node:crypto';
import { GrammarError, parseMarkedPath, parseUnmarkedPath, storedPartPath, storedPath } from '@sinebar/query-language';
import { withIncludedRights, type Claims, type Principal, type Right, type StoredUser } from '../principal.ts';
import { PolicyError, problemsOf, type PolicyProblem } from './policy-problem.ts';
import { policySchema, type ClaimDocument, type GrantDocument, type PolicyDocument } from './policy-schema.ts';
import { isServerRight, principalWith, unionOf, type GrantedRight, type Rights } from './rights.ts';

export interface RoleGrant {
  role: string;
  /** Path as the document writes it; undefined: the whole server. */
  path: string | undefined;
  /** Stored path of the subtree. */
  prefix: string | undefined;
  rights: readonly Right[];
  at: readonly PropertyKey[];
}

export interface PolicyUser {
  name: string;
  /** Argon2id hash. */
  password: string;
  roles: readonly string[];
}

/** A policy as people may see it who may change it. */
export interface PolicyOutline {
  version: string;
  roles: readonly ({ name: string } & PolicyDocument['roles'][string])[];
  users: readonly { name: string; roles: readonly string[] }[];
  claims: readonly (Omit<ClaimDocument, 'claim'> & { claim: readonly string[] })[];
}

const MAX_REMEMBERED = 1000;

/**
 * Reads a policy and checks its shape, role names, paths and where each right stands.
 * @param value the parsed file
 * @throws PolicyError with every problem. spec: decisions.md 8.2
 */
export function readPolicy(value: unknown): AccessPolicy {
  const parsed = policySchema.safeParse(value, { reportInput: true });
  if (!parsed.success) throw new PolicyError(problemsOf(parsed.error));
  return new AccessPolicy(parsed.data);
}

/** An immutable access policy: which user holds which rights. A changed file becomes a new instance. */
export class AccessPolicy {
  /** Version of the policy: equal for equal policies. */
  readonly version: string;
  private readonly document: PolicyDocument;
  private readonly userByName = new Map<string, PolicyUser>();
  private readonly grantsByRole: ReadonlyMap<string, readonly RoleGrant[]>;
  private readonly claimRoles: readonly ClaimDocument[];
  private readonly rightsByRoles = new Map<string, Rights>();
  private readonly principals = new WeakMap<PolicyUser, Principal>();

  /** @throws PolicyError */
  constructor(document: PolicyDocument) {
    const problems: PolicyProblem[] = [];
    this.document = document;
    this.version = createHash('sha256').update(JSON.stringify(document)).digest('hex').slice(0, 16);
    this.grantsByRole = new Map(
      Object.entries(document.roles).map(([role, { grants }]) => [
        role,
        grants.flatMap((grant, i) => readGrant(role, grant, ['roles', role, 'grants', i], problems)),
      ]),
    );
    for (const [written, { password, roles }] of Object.entries(document.users ?? {})) {
      const name = written.normalize('NFC');
      if (this.userByName.has(name)) problems.push({ at: ['users', written], message: 'is there twice, in two ways to write its letters' });
      this.checkRoles(roles, ['users', written, 'roles'], problems);
      this.userByName.set(name, { name, password, roles });
    }
    this.claimRoles = document.claims ?? [];
    this.claimRoles.forEach(({ roles }, i) => this.checkRoles(roles, ['claims', i, 'roles'], problems));
    if (problems.length > 0) throw new PolicyError(problems);
  }

  get users(): readonly PolicyUser[] {
    return [...this.userByName.values()];
  }

  hasRole(name: string): boolean {
    return this.grantsByRole.has(name);
  }

  /** Returns roles, users and claims as the document has them, without passwords. */
  outline(): PolicyOutline {
    const { roles, users = {}, claims = [] } = this.document;
    return {
      version: this.version,
      roles: Object.entries(roles).map(([name, role]) => ({ name, ...role })),
      users: Object.entries(users).map(([name, { roles: held }]) => ({ name, roles: held })),
      claims: claims.map(({ claim, ...rest }) => ({ ...rest, claim: typeof claim === 'string' ? [claim] : claim })),
    };
  }

  get mapsClaims(): boolean {
    return this.claimRoles.length > 0;
  }

  userNamed(name: string): PolicyUser | undefined {
    return this.userByName.get(name.normalize('NFC'));
  }

  /** @param user a user of this policy, from `userNamed` or `users` */
  principalOf(user: PolicyUser): Principal {
    const known = this.principals.get(user);
    if (known) return known;
    const principal = principalWith(user.name, keyOfUser(user), this.rightsOf(user.roles));
    this.principals.set(user, principal);
    return principal;
  }

  principalOfClaims(name: string, claims: Claims): Principal {
    return { ...principalWith(name, keyOfClaims(name, claims), this.rightsOf(this.rolesOfClaims(claims))), claims };
  }

  /** Finds the rights that a user has by now. @returns `undefined` for one who is not in this policy */
  principalOfStored({ userKey, name, claims }: StoredUser): Principal | undefined {
    if (claims) return keyOfClaims(name, claims) === userKey ? this.principalOfClaims(name, claims) : undefined;
    const user = this.userNamed(name);
    return user && keyOfUser(user) === userKey ? this.principalOf(user) : undefined;
  }

  rolesOfClaims(claims: Claims): string[] {
    return [...new Set(this.claimRoles.filter((rule) => matchesClaim(rule, claims)).flatMap(({ roles }) => roles))];
  }

  /**
   * Returns the grants that give users with these roles a right.
   * @param path stored path of an item; without one, only rights on the whole server are checked
   */
  grantsFor(roles: readonly string[], right: Right, path: string | undefined): RoleGrant[] {
    return [...new Set(roles)]
      .flatMap((role) => this.grantsByRole.get(role) ?? [])
      .filter(
        ({ rights, prefix }) => withIncludedRights(rights).includes(right) && (prefix === undefined || path?.startsWith(prefix) === true),
      );
  }

  private rightsOf(roles: readonly string[]): Rights {
    const key = JSON.stringify([...new Set(roles)].sort());
    const known = this.rightsByRoles.get(key);
    if (known) return known;
    const rights = unionOf(roles.flatMap((role) => this.grantsByRole.get(role) ?? []).flatMap(rightsIn));
    if (this.rightsByRoles.size < MAX_REMEMBERED) this.rightsByRoles.set(key, rights);
    return rights;
  }

  private checkRoles(roles: readonly string[], at: readonly PropertyKey[], problems: PolicyProblem[]): void {
    roles.forEach((role, i) => {
      if (!this.grantsByRole.has(role)) problems.push({ at: [...at, i], message: `there is no role ${JSON.stringify(role)} under roles` });
    });
  }
}

/**
 * Reads the path of a part as a policy writes it, or that of a part or a characteristic with its type marker, to its stored form.
 * @throws GrammarError
 */
export function storedPolicyPath(text: string): string {
  return /^[PC]*:/i.test(text) ? storedPath(parseMarkedPath(text)) : storedPartPath(parseUnmarkedPath(text));
}

function rightsIn({ rights, prefix }: RoleGrant): GrantedRight[] {
  return withIncludedRights(rights).map((right) => ({ right, prefix }));
}

function readGrant(role: string, { path, rights }: GrantDocument, at: readonly PropertyKey[], problems: PolicyProblem[]): RoleGrant[] {
  const before = problems.length;
  rights.forEach((right, i) => {
    if (path === undefined && !isServerRight(right)) {
      problems.push({ at: [...at, 'rights', i], message: `${right} is a right on parts: the grant needs a path, "/" for the whole plan` });
    }
    if (path !== undefined && isServerRight(right)) {
      problems.push({ at: [...at, 'rights', i], message: `${right} holds for the whole server: it belongs into a grant without path` });
    }
  });
  const prefix = path === undefined ? undefined : readPath(path, [...at, 'path'], problems);
  return problems.length > before ? [] : [{ role, path, prefix, rights, at }];
}

function readPath(path: string, at: readonly PropertyKey[], problems: PolicyProblem[]): string | undefined {
  if (!path.startsWith('/')) {
    // An empty or truncated path must not become the whole plan.
    problems.push({
      at,
      message: `${JSON.stringify(path)} does not begin with "/"; paths of parts are written like /Pump/Housing, without a type marker`,
    });
    return undefined;
  }
  try {
    return storedPartPath(parseUnmarkedPath(path));
  } catch (error) {
    if (!(error instanceof GrammarError)) throw error;
    problems.push({ at, message: error.message });
    return undefined;
  }
}

function keyOfUser({ name }: PolicyUser): string {
  return `basic:${name}`;
}

/** `sub` is the only claim that a provider never reassigns to another user (OpenID Connect Core, 5.7). */
function keyOfClaims(name: string, { sub }: Claims): string {
  return typeof sub === 'string' && sub !== '' ? `oidc:sub:${sub}` : `oidc:name:${name}`;
}

function matchesClaim({ claim, value }: ClaimDocument, claims: Claims): boolean {
  const names = typeof claim === 'string' ? [claim] : claim;
  let found: unknown = claims;
  for (const name of names) {
    found =
      typeof found === 'object' && found !== null && Object.hasOwn(found, name) ? (found as Record<string, unknown>)[name] : undefined;
  }
  if (found === undefined || found === null) return false;
  if (value === undefined) return true;
  const last = names.at(-1);
  // RFC 8693: scopes are one text with blanks between them.
  if (typeof found === 'string' && (last === 'scope' || last === 'scp')) return found.split(' ').includes(String(value));
  return [found].flat().includes(value);
}
