import { describe, expect, it } from '@jest/globals';
import { filePrefixOfPlant, plantName, problemOfPlantName, schemaOfPlant, streamOfPlant } from './plant.ts';

describe('the name of a plant', () => {
  it.each(['a', '7', 'plant-a', 'Plant-A', 'x'.repeat(40)])('may be %s', (name) => {
    expect(problemOfPlantName(name)).toBeUndefined();
  });

  it.each(['', '-a', 'a-', 'a_b', 'a b', 'a/b', 'a.b', 'ä', 'a"b', "a'b", '../a', 'a\n'])('may not be %j', (name) => {
    expect(problemOfPlantName(name)).toMatch(/letters \(a to z\), digits and hyphens/);
  });

  it('has at most 40 characters', () => {
    expect(problemOfPlantName('x'.repeat(41))).toBe('has 41 characters, at most 40 are allowed');
  });

  it('is the same in upper and lower case', () => {
    expect(plantName('Plant-A')).toBe('plant-a');
  });
});

describe('the only plant', () => {
  it('keeps the names that it had before there were plants', () => {
    expect(schemaOfPlant('inspection', '')).toBe('inspection');
    expect(streamOfPlant('')).toEqual({ streamName: 'SINEBAR_EVENTS', subjectPrefix: '' });
    expect(filePrefixOfPlant('')).toBe('');
  });
});

describe('a plant', () => {
  it('has its name in schemas, stream, subjects and paths of files', () => {
    expect(schemaOfPlant('raw_data', 'plant-a')).toBe('raw_data_plant_a');
    expect(streamOfPlant('plant-a')).toEqual({ streamName: 'SINEBAR_EVENTS_plant-a', subjectPrefix: 'sinebar.plant.plant-a' });
    expect(filePrefixOfPlant('plant-a')).toBe('plants/plant-a/');
  });

  it('has a schema name that PostgreSQL does not shorten', () => {
    expect(schemaOfPlant('sinebar_restore', 'x'.repeat(40)).length).toBeLessThanOrEqual(63);
  });
});
