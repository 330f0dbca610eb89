import { connectNatsBus } from '@sinebar/message-bus';
import { busOptions, byLevel, runService } from '@sinebar/service-kit';
import { composeEvents } from './compose.js';
import { eventsProcessSettings } from './config.js';

await runService('events', eventsProcessSettings, async (settings, log) => {
  const bus = await connectNatsBus({ ...busOptions(settings), name: 'sinebar events', log: byLevel(log) });
  return { service: composeEvents({ bus, log, settings }), close: () => bus.close() };
});
