/*
 * The one place that reads members of pg that its documentation does not name. What pg lacks:
 * - A way to close an idle connection without a farewell: `client.end()` and `client.release(true)` send one and wait for the socket to close, which on a dead
 *   network takes as long as TCP tries again. Its types name the socket, `client.connection.stream`.
 * - A way to tell whether the server has finished the last statement: after an error the driver rejects before the server is ready again, and
 *   `getTransactionStatus()` is then that of the statement before. `client.readyForQuery` says it.
 * `driver-internals.int.test.ts` fails when a release of pg renames them or makes them unnecessary.
 */
import type pg from 'pg';

/** Ends a connection whose state is unknown; every statement on it fails at once. */
export function closeAbruptly(client: pg.Client): void {
  client.connection.stream.destroy();
}

/** Whether the server has finished every statement that it was sent. */
export function isReadyForQuery(client: pg.Client): boolean {
  return (client as pg.Client & { readyForQuery?: boolean }).readyForQuery === true;
}
