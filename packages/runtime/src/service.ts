import type { Server } from 'node:http';
import type { BrowserGuard, ServiceDocument, Route } from '@sinebar/http';
import type { Metrics } from './metrics/metrics.ts';

export interface HealthCheck {
  name: string;
  healthy: boolean;
  /** Sentence for operators; never an address with credentials. */
  detail: string;
}

export interface ComposedService {
  name: string;
  routes: readonly Route[];
  /** Description for an OpenAPI document of its routes and the health resources. */
  document?: ServiceDocument;
  /**
   * Handles upgrades and addresses that are not routes (sockets). Called before the server listens.
   * @param guard must check each such request
   */
  attach?(server: Server, guard: BrowserGuard): void;
  /**
   * Starts background work on a schema that is up to date; resolves when the service can answer.
   * It is retried after a failure with 503, so it must leave nothing running when it rejects.
   */
  start(): Promise<void>;
  /** Closes long-lived connections (sockets), so that the HTTP server can close. */
  release?(): Promise<void>;
  /** Stops background work and waits for it; dependencies given to `compose` stay open. */
  stop(): Promise<void>;
  /** Registers the metrics of the service. Called once, before `start`, where they can be read. */
  observe?(metrics: Metrics): void;
  /** Checks only the dependencies of this service. */
  health(): Promise<HealthCheck[]>;
}
