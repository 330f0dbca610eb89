import { expect, it } from '@jest/globals';
import { splitEvents } from './k-fields.ts';

it.each([
  ['3', ['3']],
  [' 100, 101,150 ', ['100', '101', '150']],
  ['007,7', ['7']],
  ['0', []],
  ['3,,0', ['3']],
  [' , ', []],
  ['', []],
  ['Coolant off, door open', ['Coolant off, door open']],
  ['3, door open', ['3, door open']],
])('splits the events %j [D11.11]', (written, events) => {
  expect(splitEvents(written)).toEqual(events);
});
