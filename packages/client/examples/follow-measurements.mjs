/**
 * Prints the values of every measurement as it is stored, including those stored while the program was not running.
 *
 * node packages/client/examples/follow-measurements.mjs http://127.0.0.1:8080 position.txt
 */
import { fileStore, SinebarClient, SinebarError } from '@sinebar/client/node';

const [url = 'http://127.0.0.1:8080', positionFile = 'position.txt'] = process.argv.slice(2);
const stop = new AbortController();
process.once('SIGINT', () => stop.abort());
process.once('SIGTERM', () => stop.abort());

const sinebar = new SinebarClient({
  url,
  // The client calls this again when a token expires or the server refuses it.
  ...(process.env.SINEBAR_TOKEN && { credentials: () => ({ token: process.env.SINEBAR_TOKEN }) }),
});
const events = sinebar.events({
  store: fileStore(positionFile),
  filters: [{ events: ['MeasurementCreated', 'MeasurementModified'] }],
  onGap: () => console.log('events were lost: here the program would read all measurements again'),
  onState: ({ state }) => console.log(state),
});

// Listeners run one after the other. When one fails, the connection ends and the event is delivered again at the next connection.
for (const name of ['MeasurementCreated', 'MeasurementModified']) {
  events.on(name, async ({ MeasurementUuid }) => {
    try {
      const { attributes, characteristics } = await sinebar.measurements.getWithValues(MeasurementUuid, { signal: stop.signal });
      const values = Object.values(characteristics).map((value) => value[1]);
      console.log(name, attributes[4] ?? 'without a time', values.join(' '));
    } catch (error) {
      if (!(error instanceof SinebarError) || error.status !== 404) throw error;
      console.log(name, 'and deleted since');
    }
  });
}

stop.signal.addEventListener('abort', () => void events.close());
await events.connect({ signal: stop.signal });
await events.closed;
