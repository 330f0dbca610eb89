import type { Principal } from '@sinebar/access-control';
import type { Tracer } from '@sinebar/contracts';
import type { Request } from 'express';
import type { Logger } from 'pino';
import type { BrowserGuard } from '../guards/browser-guard.ts';
import type { PerUserLimit } from '../guards/per-user-limit.ts';
import type { BodyLimits } from '../json/json-body.ts';
import type { Route } from '../route.ts';
import type { TransferPace } from './request-deadline.ts';
import type { RequestObserver } from './request-observer.ts';

export interface HttpAppOptions {
  routes: readonly Route[];
  log: Logger;
  limits?: BodyLimits;
  /** Authenticates a request; the default is access mode `none`. @throws ServiceError 401, 429, 503 */
  authenticate?: ((request: Request) => Promise<Principal>) | undefined;
  /** Refuses requests of pages of other origins; default: no check. */
  guard?: BrowserGuard | undefined;
  /** Limits the searches of one user; by default there is no limit. */
  searches?: PerUserLimit | undefined;
  debugErrors?: boolean;
  /** Minimum rate at which clients must read answers; set by tests. */
  transferPace?: TransferPace | undefined;
  /** Address under which clients reach the server; by default taken from the request. */
  publicUrl?: string | undefined;
  /** While true, answers ask clients to close their connection. */
  isStopping?: () => boolean;
  /** Creates a span for every request. */
  tracer?: Tracer | undefined;
  /** Receives the begin and end of every request. */
  observer?: RequestObserver | undefined;
  /** Every route except the health resources answers 503 until this returns true. */
  isStarted?: () => boolean;
}
