import { IS_LONG } from '@sinebar/testing/size';
import type { VariantKind } from './variants.ts';

const FORMS = ['standalone', 'distributed'] as const;

/** Excludes the other form. A server of SINEBAR_URL, a system Postgres and a disturbed product are always included. */
export function preferring(form: (typeof FORMS)[number]): (kind: Pick<VariantKind, 'name'>) => boolean {
  return ({ name }) => IS_LONG || name === form || !(FORMS as readonly string[]).includes(name);
}
