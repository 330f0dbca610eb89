import { randomUUID } from 'node:crypto';
import { ROOT_PART_UUID } from '@sinebar/contracts';
import type pg from 'pg';
import { inTurn, ratio, type Row } from './in-turn.ts';
import { startRestrictedRawData } from './restricted-raw-data.ts';
import { download, upload } from './transfers.ts';

const SUBTREES = 20;
/** Number of the visible part. */
const VISIBLE = 7;
/** Keys of its files. */
const LARGE = 1;
const SMALL = 2;
const LARGE_MIB = 100;
const MANY = 50;

/** Inserts parts into the mirror of the raw-data service, of which a caller may see one. @returns their uuids */
export async function makeSubtrees(database: pg.Client): Promise<string[]> {
  const uuids = Array.from({ length: SUBTREES }, () => randomUUID() as string);
  await database.query(
    `INSERT INTO raw_data.part (uuid, path) SELECT uuid, 'psubtree ' || place - 1 || '/' FROM unnest($1::uuid[]) WITH ORDINALITY AS part (uuid, place)`,
    [uuids],
  );
  return uuids;
}

/** Measures the cost of files for a caller with one of twenty subtrees, against one with all rights. */
export async function restrictedReads(
  databaseUrl: string,
  database: pg.Client,
  subtrees: readonly string[],
  { url, filter, found }: { url: string; filter: string; found: number },
): Promise<Row[]> {
  const part = subtrees[VISIBLE] ?? '';
  await uploadTo(url, database, part, LARGE, LARGE_MIB);
  await uploadTo(url, database, part, SMALL, 1);
  const rawData = await startRestrictedRawData(databaseUrl);
  const compared = async (what: string, read: () => Promise<unknown>): Promise<Row> => {
    const reading = (prefix: string | undefined) => () => {
      rawData.restrictTo(prefix);
      return read();
    };
    const { one, all } = await inTurn({ one: reading(`psubtree ${VISIBLE}/`), all: reading(undefined) });
    return [`a caller who may see one of ${SUBTREES} subtrees / everything: ${what}`, ratio(one, all), ''];
  };
  const information = `${rawData.url}/rawDataServiceRest/rawDataInformation/Part`;
  const files = `${rawData.url}/rawDataServiceRest/rawData/Part/${part}`;
  try {
    return [
      await compared(`listing with this filter, ${found / SUBTREES} of ${found}`, () => download(`${information}?filter=${filter}`)),
      await compared(`listing with this filter in that subtree, ${found / SUBTREES} for both`, () =>
        download(`${information}?uuids={${part}}&filter=${filter}`),
      ),
      await compared(`download of ${LARGE_MIB} MiB`, () => download(`${files}/${LARGE}`)),
      await compared(`${MANY} downloads of 1 MiB at once`, () =>
        Promise.all(Array.from({ length: MANY }, () => download(`${files}/${SMALL}`))),
      ),
    ];
  } finally {
    await rawData.stop();
  }
}

/** Uploads a file of this size under a part that exists in the mirror only. */
async function uploadTo(url: string, database: pg.Client, part: string, key: number, mebibytes: number): Promise<void> {
  const uploaded = await upload(url, mebibytes);
  await database.query(
    `UPDATE raw_data.raw_data_object SET target_uuid = $1::uuid, part_uuid = $1::uuid, key = $4 WHERE entity = 'Part' AND target_uuid = $2::uuid AND key = $3`,
    [part, ROOT_PART_UUID, uploaded, key],
  );
}
