import { CharacteristicLists, scanMeasurements } from '@sinebar/inspection';
import { createHttpApp, createHttpServer, defineRoute, listen, reply } from '@sinebar/http';
import { createLogger } from '@sinebar/runtime';

/** Reads bodies of `POST /values` like the inspection service and discards them, to measure HTTP and scanning alone. */
const lists = new CharacteristicLists();
const read = defineRoute<unknown, unknown, Buffer>({
  method: 'POST',
  path: '/dataServiceRest/values',
  permission: 'measurement:write',
  deadline: 'write',
  body: 'bytes',
  documentation: {
    tag: 'Bench',
    summary: 'Read and forget',
    body: { description: 'Measurements', example: [] },
    responses: {},
    errors: [],
  },
  handle: ({ body }) => {
    scanMeasurements(body, lists);
    return Promise.resolve(reply.empty(201));
  },
});
const log = createLogger({ service: 'bench', level: 'warn' });
const port = await listen(createHttpServer(createHttpApp({ routes: [read], log })), 0, '127.0.0.1');
console.log(`Sinebar is ready at http://127.0.0.1:${port}`);
