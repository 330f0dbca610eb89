import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { SinebarClient } from '@sinebar/client';

const sinebar = new SinebarClient({ url: 'http://127.0.0.1:35803' });
// 409 says that it is there already: the request was done before.
const unlessDone = (error) => {
  if (error.status !== 409) throw error;
};
const limit = (key, description) => ({ definitionType: 'AttributeDefinition', key, description, type: 'Float' });
// The same text gives the same uuid: the same line is the same measurement.
const uuidOf = (text) => {
  const digits = createHash('sha256').update(`shaft ${text}`).digest('hex');
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-8${digits.slice(13, 16)}-8${digits.slice(17, 20)}-${digits.slice(20, 32)}`;
};

const [part, diameter, length] = ['part', 'diameter', 'length'].map(uuidOf);
await sinebar.configuration.update('characteristic', [
  limit(2101, 'Nominal value'),
  limit(2110, 'Lower tolerance limit'),
  limit(2111, 'Upper tolerance limit'),
]);
await sinebar.parts.create([{ uuid: part, path: 'P:/Shaft/' }]).catch(unlessDone);
await sinebar.characteristics
  .create([
    { uuid: diameter, path: 'PC:/Shaft/Diameter/', attributes: { 2101: 20, 2110: 19.95, 2111: 20.05 } },
    { uuid: length, path: 'PC:/Shaft/Length/', attributes: { 2101: 75, 2110: 74.8, 2111: 75.2 } },
  ])
  .catch(unlessDone);
const measurements = readFileSync('measurements.csv', 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => {
    const [time, first, second] = line.split(';');
    return {
      uuid: uuidOf(time),
      partUuid: part,
      attributes: { 4: time },
      characteristics: { [diameter]: { 1: first }, [length]: { 1: second } },
    };
  });
await sinebar.measurements.createWithValues(measurements).catch(unlessDone);
console.log((await sinebar.measurements.search({ partPath: '/Shaft', limitResult: -1 })).length);
