/** A change of the policy file: further rights, for a role or for one user alone. */
export interface PolicyChange {
  /** Role that gets the rights; absent for a role of its own. */
  role?: string;
  /** User who gets a role of his own, with the roles that he has. */
  user?: { name: string; roles: readonly string[] };
  /** Path of the part; rights on the whole server need none. */
  path: string;
  partRights: readonly string[];
  serverRights: readonly string[];
}

/** Writes the lines of the policy file that give rights. */
export function policyLines({ role, user, path, partRights, serverRights }: PolicyChange): string {
  const name = role ?? `additional rights of ${user?.name ?? ''}`;
  const grants = [
    ...(partRights.length > 0 ? [`      - path: ${scalar(path)}`, `        rights: [${partRights.join(', ')}]`] : []),
    ...(serverRights.length > 0 ? [`      - rights: [${serverRights.join(', ')}]`] : []),
  ];
  return [
    'roles:',
    `  ${scalar(name)}:`,
    '    grants:',
    ...grants,
    ...(role === undefined && user !== undefined
      ? ['users:', `  ${scalar(user.name)}:`, `    roles: [${[...user.roles, name].map(scalar).join(', ')}]`]
      : []),
  ].join('\n');
}

/** Writes a text as YAML, in quotes where it could mean something else. */
function scalar(text: string): string {
  return /^[\p{L}_/][\p{L}\d_/.\- ]*$/u.test(text) && !/^(true|false|null|yes|no|on|off)$/i.test(text) && !text.endsWith(' ')
    ? text
    : `'${text.replaceAll("'", "''")}'`;
}
