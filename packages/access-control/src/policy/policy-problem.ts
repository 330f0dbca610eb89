import type { z } from 'zod';

/** One problem that keeps a policy from being loaded. */
export interface PolicyProblem {
  /** Keys and array indexes from the root of the document. */
  at: readonly PropertyKey[];
  message: string;
}

/** Thrown for a policy that cannot be loaded, with every problem. */
export class PolicyError extends Error {
  override readonly name = 'PolicyError';
  readonly problems: readonly PolicyProblem[];

  constructor(problems: readonly PolicyProblem[]) {
    super(`the access policy needs a change: ${problems.map(describeProblem).join('; ')}`);
    this.problems = problems;
  }
}

/** Formats path and sentence, for example `users.ada.roles[0]: there is no role "clerk"`. */
export function describeProblem({ at, message }: PolicyProblem): string {
  const path = at.map((key, i) => (typeof key === 'number' ? `[${key}]` : `${i > 0 ? '.' : ''}${String(key)}`)).join('');
  return path === '' ? message : `${path}: ${message}`;
}

export function problemsOf(error: z.ZodError): PolicyProblem[] {
  return error.issues.flatMap((issue): PolicyProblem[] => {
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => ({ at: [...issue.path, key], message: 'is not known here' }));
    }
    if (issue.code === 'invalid_key') return [{ at: issue.path, message: issue.issues[0]?.message ?? issue.message }];
    const missing = issue.code === 'invalid_type' && issue.input === undefined;
    return [{ at: issue.path, message: missing ? `is missing; it ${issue.message}` : issue.message }];
  });
}
