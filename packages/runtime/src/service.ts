import type { Server } from 'node:http';
import type { BrowserGuard, ServiceDocument, Route } from '@sinebar/http';
import type { Metrics } from './metrics/metrics.js';

/** State of one thing a service depends on. */
export interface HealthCheck {
  name: string;
  healthy: boolean;
  /** A sentence for the person who looks; no addresses with credentials. */
  detail: string;
}

/** What `compose` of a service returns: no port is open yet, nothing runs yet. */
export interface ComposedService {
  name: string;
  routes: readonly Route[];
  /** Has its routes described in an OpenAPI document, with the health of the process. */
  document?: ServiceDocument;
  /**
   * Takes over upgrades and addresses that are not routes (sockets). Called before the server listens.
   * @param guard must be asked for each request that is taken over
   */
  attach?(server: Server, guard: BrowserGuard): void;
  /**
   * Brings the schema up to date, starts background work; resolves when the service can answer. Called again when it failed with a 503: it must
   * leave nothing running when it rejects.
   */
  start(): Promise<void>;
  /** Ends connections that stay open by themselves (sockets), so that the HTTP server can close. */
  release?(): Promise<void>;
  /** Stops background work and waits for it; backing parts given to `compose` stay open. */
  stop(): Promise<void>;
  /** Registers what it tells about itself. Called once, before `start`, where somebody can read it. */
  observe?(metrics: Metrics): void;
  /** Its own dependencies only. */
  health(): Promise<HealthCheck[]>;
}
