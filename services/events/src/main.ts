import { authenticationTypesOf, openAuthentication } from '@sinebar/authentication';
import { connectNatsBus } from '@sinebar/message-bus';
import { busOptions, runService } from '@sinebar/runtime';
import { composeEvents } from './compose.ts';
import { eventsProcessSettings } from './config.ts';

await runService(process, 'events', eventsProcessSettings, async (settings, log, tracer) => {
  const authentication = await openAuthentication(settings, log);
  const bus = await connectNatsBus({ ...busOptions(settings), name: 'sinebar events', ownsStream: false, log });
  const close = async () => {
    await bus.close();
    await authentication.close();
  };
  const { authenticator, addressOf, authenticate, health: ownHealth, metrics: ownMetrics } = authentication;
  const authenticationTypes = authenticationTypesOf(settings.SINEBAR_AUTHENTICATION);
  const service = composeEvents({ bus, log, tracer, settings, authenticator, authenticationTypes, addressOf });
  return { service, authenticate, ownHealth, ownMetrics, close };
});
