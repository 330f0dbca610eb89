import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream';
import { objectStore } from './object-store.ts';

/** Serves objects of the store without any check: `GET /<object name>`. */
const { client, bucket } = objectStore(process.env);
const server = createServer((request, response) => {
  client.getObject(bucket, decodeURIComponent((request.url ?? '').slice(1))).then(
    (object) => pipeline(object, response, () => undefined),
    () => response.writeHead(502).end(),
  );
});
server.listen(0, '127.0.0.1', () => console.log(`Sinebar is ready at http://127.0.0.1:${(server.address() as AddressInfo).port}`));
