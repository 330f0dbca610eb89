import express from 'express';
import type { AddressInfo } from 'node:net';

/** Runs an Express server whose one route answers without content. */
const app = express();
app.get('/dataServiceRest/nothing', (_request, response) => void response.json({}));
const server = app.listen(0, '127.0.0.1', () =>
  console.log(`Sinebar is ready at http://127.0.0.1:${(server.address() as AddressInfo).port}`),
);
