import { get } from 'node:http';
import { text } from 'node:stream/consumers';

/**
 * Asks the process that starts servers for tests (scripts/jest/servers.mjs) for something, and waits as long as it takes to make it.
 * `fetch` gives up after 300 s, in which a slow machine does not build every server.
 * @throws Error with its reason when it has failed
 */
export async function askTestServers(path: string, headers: Readonly<Record<string, string>> = {}): Promise<unknown> {
  const url = new URL(path, process.env['JEST_SERVERS']);
  const { statusCode, body } = await new Promise<{ statusCode: number | undefined; body: string }>((resolve, reject) => {
    // A connection that is kept may be closed by the other side just when it is used again.
    get(url, { headers, agent: false }, (response) => {
      text(response).then((body) => resolve({ statusCode: response.statusCode, body }), reject);
    }).on('error', reject);
  });
  if (statusCode !== 200) throw new Error(`The servers of the tests did not make ${path}: ${body}`);
  return JSON.parse(body);
}
