import { commandText, StartRefusal } from '@sinebar/contracts';
import { readInstallation, type Database } from '@sinebar/database';
import { BusUnavailableError, claimNatsStream, type NatsStreamAddress } from '@sinebar/message-bus';

const STATEMENT_TIMEOUT_MS = 10_000;

interface PlantStream {
  plant: string;
  schema: string;
  database: Pick<Database, 'read'>;
  stream: NatsStreamAddress & { name: string };
}

/**
 * Refuses the event stream of another installation with a plant of the same name: the events of both would be mixed.
 * The service starts without a broker too, and waits for it; nothing is found out then.
 * @throws StartRefusal
 */
export async function refuseForeignStream({ plant, schema, database, stream }: PlantStream): Promise<void> {
  if (plant === '') return;
  const options = { signal: new AbortController().signal, statementTimeoutMs: STATEMENT_TIMEOUT_MS };
  const installation = await database.read(options, (session) =>
    readInstallation((text, values) => session.query<{ comment: string | null }>(text, values), schema),
  );
  if (installation === undefined) return;
  const owner = await claimNatsStream(stream, installation).catch((error: unknown) => {
    if (error instanceof BusUnavailableError) return undefined;
    throw error;
  });
  if (owner === undefined || owner === installation) return;
  throw new StartRefusal(
    `The event stream ${stream.name} belongs to a plant "${plant}" of another installation. ` +
      `Give this installation a message broker of its own, or its plant another name (${commandText('plants create')}).`,
  );
}
