import { randomUUID } from 'node:crypto';

/** Stores a value beyond its tolerance, below a part whose alarms a webhook is told that cannot be reached. */
export async function raiseAlarm(post: (path: string, body: unknown) => Promise<void>): Promise<void> {
  const [part, bore] = [randomUUID(), randomUUID()];
  const limit = { definitionType: 'AttributeDefinition', type: 'Float', description: 'limit' };
  await post(
    '/dataServiceRest/configuration/Characteristic',
    [2110, 2111].map((key) => ({ ...limit, key })),
  );
  await post('/dataServiceRest/parts', [{ uuid: part, path: 'P:/Pump/' }]);
  await post('/dataServiceRest/characteristics', [{ uuid: bore, path: 'PC:/Pump/Bore/', attributes: { 2110: '9', 2111: '11' } }]);
  const receiver = { kind: 'webhook', url: 'https://hooks.invalid/alarms', shape: 'standard' };
  await post('/alarmServiceRest/subscriptions', { receiver, partPath: '/Pump' });
  const attributes = { 4: new Date().toISOString() };
  await post('/dataServiceRest/values', [{ uuid: randomUUID(), partUuid: part, attributes, characteristics: { [bore]: { 1: '12' } } }]);
}
