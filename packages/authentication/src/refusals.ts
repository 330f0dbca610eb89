import { ServiceError } from '@sinebar/contracts';
import type { Metrics } from '@sinebar/runtime';
import type { Credentials } from './authenticator.ts';

/** Reasons of a refused sign-in; `none`: without credentials, as in the first request of browsers. */
const REFUSAL_REASONS = ['none', 'wrong', 'too-many', 'unavailable'] as const;
type Reason = (typeof REFUSAL_REASONS)[number];

export class Refusals {
  private readonly counts: Record<Reason, number> = { none: 0, wrong: 0, 'too-many': 0, unavailable: 0 };

  note({ authorization }: Pick<Credentials, 'authorization'>, error: unknown): void {
    this.counts[reasonOf(authorization, error)] += 1;
  }

  observe(metrics: Metrics): void {
    metrics.count(
      {
        name: 'sinebar_authentication_refusals_total',
        help: 'Requests and connections that were refused: without credentials (none), wrong, too many attempts, provider unavailable',
        labels: ['reason'],
      },
      (set) => {
        for (const reason of REFUSAL_REASONS) set(this.counts[reason], { reason });
      },
    );
  }
}

function reasonOf(authorization: string | undefined, error: unknown): Reason {
  if (authorization === undefined || authorization === '') return 'none';
  if (!(error instanceof ServiceError) || error.status >= 500) return 'unavailable';
  return error.status === 429 ? 'too-many' : 'wrong';
}
