/** Parses `plan:read /A, catalog:write`: rights on parts have a path; `nothing` has no rights. */
export function grantsOf(who: string): { right: string; part: string | undefined }[] {
  if (who === 'nothing') return [];
  return who.split(', ').map((grant) => {
    const [, right, part] = /^([a-zA-Z]+:(?:read|write))(?: (\/.*))?$/s.exec(grant) ?? [];
    if (right === undefined) throw new Error(`not a grant: ${grant}`);
    return { right, part };
  });
}

/** The one role of {@link policyOf}. */
export const ROLE_OF_CASES = 'of the case';

/** Builds the parsed form of a policy file with one role that has exactly these grants. */
export function policyOf(who: string): unknown {
  const grants = grantsOf(who).map(({ right, part }) => ({ ...(part !== undefined && { path: part }), rights: [right] }));
  return { roles: { [ROLE_OF_CASES]: { grants } } };
}
