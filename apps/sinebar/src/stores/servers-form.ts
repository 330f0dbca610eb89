import { authenticationSettings, openAuthentication } from '@sinebar/authentication';
import { Closing } from '@sinebar/concurrency';
import type { Tracer } from '@sinebar/contracts';
import {
  busOptions,
  busSettings,
  databaseSettings,
  databaseUrl,
  openSpool,
  pickSettings,
  serverSettings,
  spoolSettings,
  type Logger,
  type Spool,
} from '@sinebar/runtime';
import type { ServiceName } from '../services.ts';
import type { Form } from './form.ts';

/**
 * Opens the form of services that find the others over NATS, with the stores that their settings name.
 * @param loaded settings of these services
 */
export async function openServersForm(
  services: readonly ServiceName[],
  loaded: Readonly<Record<string, unknown>>,
  log: Logger,
  tracer: Tracer | undefined,
): Promise<Form> {
  const settings: Form['settings'] = (definitions) => pickSettings(loaded, definitions);
  const closing = new Closing(log);
  const authentication = await openAuthentication(settings({ ...serverSettings, ...authenticationSettings }), log);
  closing.add('authentication', () => authentication.close());
  const database = () => {
    const {
      SINEBAR_PLANT: plant,
      SINEBAR_MIGRATE: migrateAtStart,
      SINEBAR_START_TIMEOUT_S: timeoutS,
      ...address
    } = settings(databaseSettings);
    return { url: databaseUrl(address), plant, migrateAtStart, startTimeoutMs: timeoutS * 1000 };
  };
  const newSpool = async () => {
    const opened = await openSpool(settings(spoolSettings));
    closing.add('spool', opened.close);
    return opened.spool;
  };
  let spool: Promise<Spool> | undefined;
  const events = busOptions(settings(busSettings));
  return {
    settings,
    authentication,
    files: async () => {
      const { fileStoreSettings, openBlobStore } = await import('@sinebar/raw-data');
      const opened = await openBlobStore(settings(fileStoreSettings), log, database().startTimeoutMs);
      closing.add('files', () => Promise.resolve(opened.close()));
      return { blobs: opened.blobs, soleOwner: false };
    },
    spool: () => (spool ??= newSpool()),
    bus: async () => {
      const { connectNatsBus } = await import('@sinebar/message-bus');
      return await connectNatsBus({ ...events, name: `sinebar ${services.join(' ')}`, ownsStream: services.includes('inspection'), log });
    },
    stream: { ...events, name: events.streamName },
    database,
    closing,
    logOf: (name) => (services.length === 1 ? log : log.child({ service: name })),
    tracer,
  };
}
