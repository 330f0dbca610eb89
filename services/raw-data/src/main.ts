import { openAuthentication } from '@sinebar/authentication';
import { schemaOfPlant } from '@sinebar/contracts';
import { openServiceDatabase } from '@sinebar/database';
import { connectNatsBus, outboxStream } from '@sinebar/message-bus';
import { busOptions, databaseUrl, openSpool, PRODUCT_VERSION, runService, streamLimits, withOutbox } from '@sinebar/runtime';
import { composeRawData } from './compose.ts';
import { rawDataProcessSettings } from './config.ts';
import { openBlobStore } from './blobs/open-blob-store.ts';
import { RAW_DATA_SCHEMA, rawDataMigrations } from './migrations/index.ts';

await runService(process, 'raw-data', rawDataProcessSettings, async (settings, log, tracer) => {
  const authentication = await openAuthentication(settings, log);
  const startTimeoutMs = settings.SINEBAR_START_TIMEOUT_S * 1000;
  const store = await openBlobStore(settings, log, startTimeoutMs);
  const { spool, close: closeSpool } = await openSpool(settings);
  const bus = await connectNatsBus({ ...busOptions(settings), name: 'sinebar raw-data', ownsStream: false, log });
  const backing = await openServiceDatabase({
    url: databaseUrl(settings),
    schema: schemaOfPlant(RAW_DATA_SCHEMA, settings.SINEBAR_PLANT),
    plant: settings.SINEBAR_PLANT,
    service: 'raw-data',
    migrations: rawDataMigrations,
    migrateAtStart: settings.SINEBAR_MIGRATE,
    poolSizes: { requests: settings.SINEBAR_RAW_DATA_POOL, streams: settings.SINEBAR_RAW_DATA_STREAM_POOL },
    streamLimits: streamLimits(settings),
    startTimeoutMs,
    stream: outboxStream(bus, 'raw-data'),
    log,
    tracer,
  });
  const service = composeRawData({
    database: backing.database,
    bus,
    blobs: store.blobs,
    spool,
    soleOwner: false,
    settings,
    version: PRODUCT_VERSION,
    log,
    now: () => new Date(),
  });
  const close = async () => {
    await backing.close();
    await bus.close();
    store.close();
    await closeSpool();
    await authentication.close();
  };
  return {
    service: withOutbox(service, backing.relay),
    authenticate: authentication.authenticate,
    ownHealth: authentication.health,
    ownMetrics: authentication.metrics,
    close,
  };
});
