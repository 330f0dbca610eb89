/*
 * Names of what belongs to one plant in servers that several plants share (docs/decisions/0042-plants.md).
 * The only plant has the empty name, and the names that it had before there were plants.
 */
import { EVENT_STREAM } from './events/envelope.ts';

const MAX_PLANT_NAME_LENGTH = 40;

/** Letters, digits and hyphens, beginning and ending with a letter or digit: fits a schema, a stream, a subject, a key and an address. */
const PLANT_NAME = /^[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?$/;

/** @returns what is wrong with the name of a plant, as the end of a sentence about it; `undefined` for a valid name */
export function problemOfPlantName(name: string): string | undefined {
  if (name.length > MAX_PLANT_NAME_LENGTH) return `has ${name.length} characters, at most ${MAX_PLANT_NAME_LENGTH} are allowed`;
  if (PLANT_NAME.test(name)) return undefined;
  return 'must consist of letters (a to z), digits and hyphens, and begin and end with a letter or digit';
}

/** Returns the one spelling of a plant's name: upper and lower case are the same plant. */
export function plantName(name: string): string {
  return name.toLowerCase();
}

/** Returns the schema of a service for a plant; `_` stands for the hyphen, which would need quotes in SQL. */
export function schemaOfPlant(schema: string, plant: string): string {
  return plant === '' ? schema : `${schema}_${plant.replaceAll('-', '_')}`;
}

/** Returns the event stream of a plant and the prefix of its subjects, without the final dot. */
export function streamOfPlant(plant: string): { streamName: string; subjectPrefix: string } {
  if (plant === '') return { streamName: EVENT_STREAM, subjectPrefix: '' };
  return { streamName: `${EVENT_STREAM}_${plant}`, subjectPrefix: `sinebar.plant.${plant}` };
}

/** Returns the beginning of the paths of a plant's files in a bucket or folder that plants share, with the final slash. */
export function filePrefixOfPlant(plant: string): string {
  return plant === '' ? '' : `plants/${plant}/`;
}
