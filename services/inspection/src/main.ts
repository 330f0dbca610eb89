import { openAuthentication } from '@sinebar/authentication';
import { schemaOfPlant } from '@sinebar/contracts';
import { openServiceDatabase } from '@sinebar/database';
import { connectNatsBus, outboxStream } from '@sinebar/message-bus';
import { busOptions, databaseUrl, openSpool, PRODUCT_VERSION, runService, streamLimits, withOutbox } from '@sinebar/runtime';
import { composeInspection } from './compose.ts';
import { inspectionProcessSettings } from './config.ts';
import { INSPECTION_SCHEMA, inspectionMigrations } from './migrations/index.ts';
import { refuseForeignStream } from './server/stream-owner.ts';

await runService(process, 'inspection', inspectionProcessSettings, async (settings, log, tracer) => {
  const authentication = await openAuthentication(settings, log);
  const { SINEBAR_PLANT: plant } = settings;
  const schema = schemaOfPlant(INSPECTION_SCHEMA, plant);
  const { spool, close: closeSpool } = await openSpool(settings);
  const events = busOptions(settings);
  const bus = await connectNatsBus({ ...events, name: 'sinebar inspection', log });
  const backing = await openServiceDatabase({
    url: databaseUrl(settings),
    schema,
    plant,
    service: 'inspection',
    migrations: inspectionMigrations,
    migrateAtStart: settings.SINEBAR_MIGRATE,
    poolSizes: { requests: settings.SINEBAR_INSPECTION_POOL, streams: settings.SINEBAR_INSPECTION_STREAM_POOL },
    streamLimits: streamLimits(settings),
    startTimeoutMs: settings.SINEBAR_START_TIMEOUT_S * 1000,
    stream: outboxStream(bus, 'inspection'),
    log,
    tracer,
  });
  await refuseForeignStream({ plant, schema, database: backing.database, stream: { ...events, name: events.streamName } });
  const service = composeInspection({
    database: backing.database,
    bus,
    log,
    now: () => new Date(),
    server: {
      serverName: settings.SINEBAR_SERVER_NAME,
      version: PRODUCT_VERSION,
      securityEnabled: authentication.authenticator.securityEnabled,
    },
    spool,
    settings,
    addressOf: authentication.addressOf,
    tokenInformation: authentication.tokenInformation,
    signInOrigins: authentication.signInOrigins,
  });
  const close = async () => {
    await backing.close();
    await bus.close();
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
