import type { VariantKind } from './variants.ts';

const FORMS = ['standalone', 'distributed'] as const;
/** The long run `forms` sets it, so that tests for which `npm test` has one form run on all. */
const HAS_ALL_FORMS = process.env['SINEBAR_TEST_FORMS'] === 'all';

/** Excludes the other form. A server of SINEBAR_URL, a system Postgres and a disturbed product are always included. */
export function preferring(form: (typeof FORMS)[number]): (kind: Pick<VariantKind, 'name'>) => boolean {
  return ({ name }) => HAS_ALL_FORMS || name === form || !(FORMS as readonly string[]).includes(name);
}
