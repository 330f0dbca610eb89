import { SinebarClient } from '@sinebar/client';

const sinebar = new SinebarClient({ url: 'http://127.0.0.1:45651' });
const characteristics = await sinebar.characteristics.list({ partPath: '/Car door' });
const gap = characteristics.find(({ path }) => path.endsWith('/Gap A-pillar 01/'));
const [lower, upper] = [2110, 2111].map((key) => Number(gap.attributes[key]));
const measurements = await sinebar.measurements.searchWithValues({
  partPath: '/Car door',
  characteristicUuids: [gap.uuid],
  requestedMeasurementAttributes: [4],
  order: '4 asc',
  limitResult: -1,
});
// A measurement without a value for this characteristic has no entry for it.
const values = measurements.flatMap(({ characteristics: { [gap.uuid]: value } }) => (value ? [Number(value[1])] : []));

const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
const moves = values.slice(1).map((value, i) => Math.abs(value - values[i]));
const width = (2.66 * moves.reduce((sum, move) => sum + move, 0)) / moves.length;
const out = values.filter((value) => Math.abs(value - mean) > width);
const bad = values.filter((value) => value < lower || value > upper);
const [from, to] = [mean - width, mean + width].map((each) => each.toFixed(3));
console.log(`${values.length} values, mean ${mean.toFixed(3)}, control limits ${from} to ${to}: ${out.length} outside`);
console.log(`tolerance ${lower.toFixed(3)} to ${upper.toFixed(3)}: ${bad.length} outside`);
