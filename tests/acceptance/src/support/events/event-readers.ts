import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Events below this part are visible to all readers. */
export const COMMON = 'Common';
/** Parts at the root below which the load works; one name is a prefix of another. */
export const PLACES = ['Line 1', 'Line 10', 'Line 2', COMMON] as const;
export type Place = (typeof PLACES)[number];

export interface Reader {
  name: string;
  plan: readonly Place[] | 'all';
  rawData: readonly Place[] | 'all';
}

/** Sets of rights that differ in what they see of the load. */
export const READERS = [
  { name: 'chief', plan: 'all', rawData: 'all' },
  { name: 'line-1', plan: ['Line 1', COMMON], rawData: ['Line 1', COMMON] },
  { name: 'line-10', plan: ['Line 10', COMMON], rawData: ['Line 10', COMMON] },
  { name: 'planner', plan: ['Line 1', 'Line 2', COMMON], rawData: [COMMON] },
  { name: 'archivist', plan: [COMMON], rawData: ['Line 2', 'Line 10', COMMON] },
  { name: 'visitor', plan: [COMMON], rawData: [COMMON] },
] as const satisfies readonly Reader[];

/** Hash of the password "lathe-and-mill", with cheap parameters on purpose. */
const HASH = '$argon2id$v=19$m=1024,t=1,p=1$Xq1G7XMTpOZWo3cVHh9xIA$xSC/2BY29tGDEysNn3nP82apdDQr68Hl/XlFUFoZNUw';
const PASSWORD = 'lathe-and-mill';
const WRITER = 'writer';
const EVERYTHING = ['plan:read', 'plan:write', 'measurement:read', 'measurement:write', 'rawData:read', 'rawData:write'];

/** Returns the credentials of a reader's socket. */
export const credentialsOf = ({ name }: Reader) => ({ username: name, password: PASSWORD });

export const WRITER_HEADERS = { Authorization: `Basic ${Buffer.from(`${WRITER}:${PASSWORD}`).toString('base64')}` };

export function mayRead(reader: Reader, right: 'plan' | 'rawData', place: Place): boolean {
  const places = reader[right];
  return places === 'all' || places.includes(place);
}

/** Writes the policy of the readers and the writer. @returns the settings that use it */
export function writePolicy(folder: string): Record<string, string> {
  const file = join(folder, 'policy.yaml');
  const grants = (places: Reader['plan'], right: string) =>
    (places === 'all' ? [''] : places).map((place) => ({ path: `/${place}`, rights: [right] }));
  const roles: Record<string, { grants: object[] }> = { [WRITER]: { grants: [{ path: '/', rights: EVERYTHING }] } };
  for (const { name, plan, rawData } of READERS)
    roles[name] = { grants: [...grants(plan, 'plan:read'), ...grants(rawData, 'rawData:read')] };
  const users: Record<string, { password: string; roles: string[] }> = {};
  for (const name of Object.keys(roles)) users[name] = { password: HASH, roles: [name] };
  writeFileSync(file, JSON.stringify({ roles, users }));
  return { SINEBAR_AUTHENTICATION: 'basic', SINEBAR_ACCESS_POLICY: file };
}
