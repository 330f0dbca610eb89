import { NO_AUTHENTICATION } from '@sinebar/authentication';
import { connectNatsBus } from '@sinebar/message-bus';
import { composeEvents, eventsSettings } from '@sinebar/events';
import { BrowserGuard, createHttpApp, createHttpServer, listen } from '@sinebar/http';
import { createLogger, loadSettings } from '@sinebar/runtime';
import { collectGarbageOnSignal } from './garbage.ts';
import { BENCH_STREAM, BENCH_SUBJECT_PREFIX, principalOf } from './plants.ts';

/** Runs the event gateway on the stream of the measurements; a client's token is its set of rights. */
const log = createLogger({ service: 'bench', level: 'warn' });
const bus = await connectNatsBus({
  servers: process.env['NATS_URL'] ?? '',
  name: 'bench gateway',
  streamName: BENCH_STREAM,
  subjectPrefix: BENCH_SUBJECT_PREFIX,
});
const service = composeEvents({
  bus,
  log,
  settings: loadSettings(eventsSettings, { SINEBAR_SOCKETS_PER_USER: '0', SINEBAR_SOCKETS_PER_ADDRESS: '0' }).values,
  authenticator: {
    ...NO_AUTHENTICATION,
    authenticate: ({ authorization = '' }) =>
      Promise.resolve({ principal: principalOf(authorization.replace('Bearer ', '')), expiresAt: undefined }),
    renew: (signIn) => signIn,
  },
});
const server = createHttpServer(createHttpApp({ routes: service.routes, log }));
service.attach?.(server, new BrowserGuard({ isOpen: true }));
await service.start();
collectGarbageOnSignal();
const port = await listen(server, 0, '127.0.0.1');
process.on('SIGINT', () => process.exit());
console.log(`Sinebar is ready at http://127.0.0.1:${port}`);
