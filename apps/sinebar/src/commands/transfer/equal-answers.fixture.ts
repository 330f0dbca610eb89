import { createHash } from 'node:crypto';

/** Members that each server sets itself; docs/export-format.md names them. */
const OWN = new Set(['timestamp', 'charChangeDate', 'version', 'lastModified', 'created', 'history', 'requestId', 'asOf']);
/** Members of the service information with times of last changes. */
const OWN_TIMES = /^(inspectionPlan|measurement|configuration|catalog)Timestamp$/;

export interface ReadRoute {
  path: string;
  /** Parameters that may stand in its query. */
  parameters: string[];
}

interface ApiDocument {
  paths: Record<string, { get?: { parameters?: { in: string; name: string }[] } }>;
}

/** The GET routes of all OpenAPI documents of a server. */
export async function readRoutes(url: string): Promise<ReadRoute[]> {
  const routes = new Map<string, ReadRoute>();
  for (const service of ['dataServiceRest', 'rawDataServiceRest', 'eventServiceRest']) {
    const { paths } = (await (await fetch(`${url}/${service}/openapi.json`)).json()) as ApiDocument;
    for (const [path, { get }] of Object.entries(paths)) {
      const inQuery = (get?.parameters ?? []).filter((parameter) => parameter.in === 'query');
      if (get) routes.set(path, { path, parameters: inQuery.map(({ name }) => name) });
    }
  }
  return [...routes.values()];
}

/** Reads an answer without the members that each server sets itself. */
export async function answerOf(url: string, address: string): Promise<unknown> {
  const response = await fetch(`${url}${address}`);
  const bytes = Buffer.from(await response.arrayBuffer());
  const type = response.headers.get('content-type');
  return {
    address,
    status: response.status,
    type,
    disposition: response.headers.get('content-disposition'),
    body: type?.startsWith('application/json') ? plain(JSON.parse(bytes.toString()), address) : digestOf(bytes),
  };
}

/** Whether an answer would be equal on any two servers. */
export function saysNothing(answer: unknown): boolean {
  const { status, body } = answer as { status: number; body: unknown };
  return (status !== 200 && status !== 204) || (Array.isArray(body) && body.length === 0) || body === 0;
}

function plain(body: unknown, address: string): unknown {
  // In a document these names are names of members.
  if (address.endsWith('/openapi.json')) return body;
  return JSON.parse(JSON.stringify(body, (key, member: unknown) => (OWN.has(key) || OWN_TIMES.test(key) ? undefined : member)));
}

function digestOf(bytes: Buffer): string {
  return `${bytes.length} bytes, ${createHash('sha256').update(bytes).digest('hex')}`;
}
