/*
 * The only file that reads undocumented members of pg. What pg lacks:
 * - A way to close an idle connection abruptly: `client.end()` and `client.release(true)` send a message and wait for the socket to close,
 *   which on a dead network takes as long as TCP retries. Its types name the socket, `client.connection.stream`.
 * - A way to tell whether the server has finished the last statement: after an error the driver rejects before the server is ready again,
 *   and `getTransactionStatus()` is then that of the previous statement. `client.readyForQuery` has the state.
 * `driver-internals.int.test.ts` fails when a release of pg renames them or makes them unnecessary.
 */
import type pg from 'pg';

/** Ends a connection whose state is unknown; every statement on it fails at once. */
export function closeAbruptly(client: pg.Client): void {
  client.connection.stream.destroy();
}

/** Whether the server has finished every statement sent to it. */
export function isReadyForQuery(client: pg.Client): boolean {
  return (client as pg.Client & { readyForQuery?: boolean }).readyForQuery === true;
}
