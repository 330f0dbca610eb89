/*
 * The only file that uses undocumented members of pg. What pg lacks:
 * - A way to close an idle connection abruptly: `client.end()` and `client.release(true)` send a message and wait for the socket to close,
 *   which on a dead network takes as long as TCP retries. Its types name the socket, `client.connection.stream`.
 * - A way to tell whether the server has finished the last statement: after an error the driver rejects before the server is ready again,
 *   and `getTransactionStatus()` is then that of the previous statement. `client.readyForQuery` has the state.
 * - A limit on what it parses in one turn of the event loop: Node hands it up to 2 MiB of an answer at once, whose rows take 90 ms.
 *   Its listener to the data of the socket is the first one.
 * `driver-internals.int.test.ts` fails when a release of pg renames them or makes them unnecessary.
 */
import type pg from 'pg';

/** Ends a connection whose state is unknown; every statement on it fails at once. */
export function closeAbruptly(client: pg.Client): void {
  client.connection.stream.destroy();
}

/** What is parsed of the answers of a connection in one turn of the event loop, bytes; its rows take about 5 ms. */
const TURN_BYTES = 65_536;

/** Lets others have a turn while the driver parses a long answer. Call it once for a connection that is open. */
export function readInTurns(client: pg.Client): void {
  const { stream } = client.connection;
  const [parse] = stream.listeners('data') as ((data: Buffer) => void)[];
  if (!parse) throw new Error('pg does not listen to its socket');
  let bytes = 0;
  stream.removeListener('data', parse);
  // One listener, as before: pg-copy-streams takes it away and puts it back.
  stream.on('data', (data: Buffer) => {
    parse(data);
    bytes += data.length;
    if (bytes < TURN_BYTES) return;
    bytes = 0;
    stream.pause();
    setImmediate(() => stream.resume());
  });
}

/** Whether the server has finished every statement sent to it. */
export function isReadyForQuery(client: pg.Client): boolean {
  return (client as pg.Client & { readyForQuery?: boolean }).readyForQuery === true;
}
