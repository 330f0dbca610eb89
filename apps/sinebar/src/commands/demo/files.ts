import type { FileToStore } from '@sinebar/client';
import { strToU8, zipSync, type Zippable } from 'fflate';
import { KEY } from './attributes.ts';
import type { DemoPart } from './demo-part.ts';
import { drawingOf, pictureOfDoor } from './drawings/drawing.ts';
import { attributesOf, DOOR_PATH, PARTS } from './plan.ts';

export interface DemoFile {
  part: DemoPart;
  file: FileToStore;
}

/** Fixed time, so that the archive has the same bytes at every run. */
const ARCHIVE_TIME = new Date(2026, 0, 5, 12);
const ARCHIVE_NAME = 'inspection-plan.zip';
const PICTURE_NAME = 'car-door.jpg';
/** A drawing for each part, the archive and the picture of the door. */
export const FILE_COUNT = PARTS.length + 2;

/** Makes a drawing for each part, and for the door a picture and an archive with its drawings, tables of limits and a note. */
export async function demoFiles(): Promise<DemoFile[]> {
  const drawings = await Promise.all(
    PARTS.map(async (part) => ({
      part,
      file: { fileName: `${part.attributes[KEY.drawing]}.png`, mimeType: 'image/png', content: await drawingOf(part) },
    })),
  );
  const door = PARTS[0] as DemoPart;
  const content: Zippable = { 'README.txt': strToU8('Drawings and limits of the front door, left, as they were released.\n') };
  for (const { part, file } of drawings.filter(({ part: { product } }) => product === DOOR_PATH)) {
    content[`drawings/${file.fileName}`] = [file.content, { level: 0 }];
    content[`limits/${part.name}.csv`] = strToU8(limitsTable(part));
  }
  const archive = new Uint8Array(zipSync(content, { mtime: ARCHIVE_TIME }));
  return [
    ...drawings,
    { part: door, file: { fileName: ARCHIVE_NAME, mimeType: 'application/zip', content: archive } },
    { part: door, file: { fileName: PICTURE_NAME, mimeType: 'image/jpeg', content: await pictureOfDoor() } },
  ];
}

function limitsTable({ characteristics }: DemoPart): string {
  const rows = characteristics.map((characteristic) => {
    const attributes = attributesOf(characteristic);
    return [characteristic.name, ...[KEY.nominal, KEY.lowerTolerance, KEY.upperTolerance, KEY.unit].map((key) => attributes[key])].join(
      ';',
    );
  });
  return ['characteristic;nominal;lower tolerance limit;upper tolerance limit;unit', ...rows, ''].join('\n');
}
