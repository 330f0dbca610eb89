import { gzipSync } from 'node:zlib';
import { asSent, CATALOG, CHARACTERISTIC, FILES, MEASUREMENT, PART, ROOT_PART, type WholeRequest } from './random-world.ts';
import type { SeededRandom } from './seeded-random.ts';

/** Members of an OpenAPI document from which requests are made. */
export interface RequestDocument {
  paths: Record<string, Record<string, DocumentedOperation>>;
}

interface DocumentedOperation {
  parameters?: { in: string; name: string; example?: string | number | boolean }[];
  requestBody?: { content: Record<string, { example?: unknown }> };
  responses?: Record<string, { content?: Record<string, unknown> }>;
}

interface Operation extends DocumentedOperation {
  method: string;
  path: string;
}

export interface RandomRequest extends WholeRequest {
  operation: string;
}

const UNKNOWN = '11111111-2222-3333-4444-555555555555';
const UUIDS = [PART, PART, CHARACTERISTIC, MEASUREMENT, CATALOG, ROOT_PART, UNKNOWN, `${MEASUREMENT}|${CHARACTERISTIC}`];
const ENTITIES = ['part', 'characteristics', 'Measurement', 'value', 'catalog'];
const HOSTILE_TEXTS = [
  ...[
    '',
    ' ',
    '0',
    '-1',
    '1.5',
    'NaN',
    '1e309',
    '2147483648',
    '99999999999999999999',
    'null',
    'undefined',
    'true',
    '{}',
    '{',
    '}{',
    '{,}',
    '[]',
  ],
  ...["'", "';DROP TABLE part;--", '$1', '${7*7}', '<script>', '../../etc/passwd', '..', '.', '/', '//', '\\', '%', '%00', '%ff', '%c3%28'],
  ...['\u0000', '\ud7ff', '\ufeff', '𝄞', 'ß', 'İ', '\u202e', '\r\nX-Injected: 1', '*', '?', '#', '&', '=', '+', '__proto__', 'constructor'],
  ...[UNKNOWN, `{${PART}}`, PART.toUpperCase(), `{${PART},${UNKNOWN}}`, `{${PART}`, PART.slice(1), '|', 'x'.repeat(300), 'x'.repeat(9_000)],
  ...[
    '0001-01-01',
    '9999-12-31T23:59:59.999999999Z',
    '10000-01-01',
    '2026-02-30',
    '2026-01-01T00:00:00+99:99',
    '(((',
    '1001 In [',
    '4>[]+',
  ],
];
/** Valid or nearly valid values of parameters, by the end of the parameter's name. */
const FITTING: readonly (readonly [name: RegExp, values: readonly string[]])[] = [
  [/uuids?$|^mergeMasterPart$/i, [...UUIDS, `{${PART}}`, `{${PART},${MEASUREMENT}}`, `${CHARACTERISTIC} , ${UNKNOWN}`, '{}']],
  [/^(entity|entityType)$/, [...ENTITIES, 'PARTS', 'tool', 'parts,part']],
  [/^keys?$/, ['0', '1', '2', '1001', '{2009}', '{1,2}', '14', '-1', '32767', '32768', '01', '0x1']],
  [
    /^(partPath|charPath|paths)$/,
    ['/', '/Pump', '/Pump/', 'P:/Pump/', 'PC:/Pump/Diameter/', '/pump/Diameter', '{/Pump,/}', '/a//b', '/a\\/b', 'X:/a/'],
  ],
  [/^depth$|^limitResult|^limit$/, ['0', '1', '5', '-1', '65535', '65536', '2147483647', '1.0']],
  [
    /^searchCondition$/,
    [
      '1001 In [P-4711]',
      '4>[2026-01-01]',
      "14 Like ['a%_*']",
      '1>[0.5]',
      '1001=[x]+14<>[7]',
      'LastModified<[2027-01-01T00:00:00Z]',
      '1001 IsNull',
      '99999=[1]',
    ],
  ],
  [/^order$/, ['4 asc', '4 Desc,14 asc', '4', '999 asc', 'created asc', 'lastModified desc']],
  [/Attributes$/, ['All', 'None', '{4}', '1001,14', '{}', '{x}', '70000', '-5']],
  [
    /^(deep|runAsync|caseSensitive|withHistory|versioningEnabled)$/,
    ['true', 'False', '1', 'DeleteDeep', 'DeleteForCurrentPartOnly', 'yes'],
  ],
  [/^aggregation$/, ['Measurements', 'AggregationMeasurements', 'Default', 'All', 'none']],
  [/^statistics$/, ['None', 'Simple', 'Detailed', 'x']],
  [/^mergeCondition$/, ['None', 'MeasurementsInAtLeastTwoParts', 'MeasurementsInAllParts', 'x']],
  [/^restrictToEntity$/, ['None', 'Part', 'Characteristic', 'CharacteristicWithoutIntermediateParts', 'x']],
  [/^keep$/, ['subParts', '{SubParts}', 'measurements', 'x']],
  [
    /^filter$/,
    ["FileName like '*.txt'", 'size > 5', "md5 like '*8*'", 'true', "not (mimeType = 'a' or key < 3)", "fileName = 'a", 'x = 1', 'null'],
  ],
  [/ModificationDate$/, ['2026-01-01', '2026-01-01T00:00:00.123456789Z', '2099-01-01T00:00:00+02:00']],
  [/^(wait|after)$/, ['0', '1', '-1', 'AAAA.1.0', 'x.y.z', '9.99999999999999999999.9']],
  [/^(filename|file|value)$/, ['readme.txt', 'page.js', 'P-4711', 'a/b/c.txt', 'a%2Fb', '..%2f..', 'nothing']],
  [/md5$/i, ['8e9c4d2a7b1f40c6a5d3e2f1b0c9d8a7', 'jpxNKnsfQMal0+LxsMnYpw==', '"x"', '00000000000000000000000000000000', 'x']],
  [
    /^(If-|Range)/,
    [
      '*',
      '"x"',
      'W/"x", "y"',
      '"',
      'bytes=0-9',
      'bytes=5-',
      'bytes=-3',
      'bytes=9-1',
      'bytes=0-1,3-4',
      'lines=1',
      'Mon, 05 Jan 2026 08:30:00 GMT',
    ],
  ],
  [
    /^Content-Disposition$/,
    [
      '"a.txt"',
      'attachment; filename="a.txt"',
      "attachment; filename*=UTF-8''%C3%A4.txt",
      '=?utf-8?B?YS50eHQ=?=',
      'attachment',
      'filename=',
    ],
  ],
];
const ANY_HEADERS: readonly (readonly [name: string, values: readonly string[]])[] = [
  ['Accept-Encoding', ['gzip', 'identity', '*;q=0', ',', 'br;q=2, x']],
  ['Accept', ['application/json', 'text/html', '*/*;q=0', 'x']],
  ['Content-Encoding', ['gzip', 'deflate', 'br', 'identity', 'what']],
  [
    'Content-Type',
    ['application/json', '"application/json"', 'application/json; charset=utf-16', 'text/plain', 'application/bson', 'x', ''],
  ],
  ['X-Request-Id', ['abc', 'x'.repeat(300), '<script>', '{}']],
  ['X-Forwarded-For', ['203.0.113.7', 'x', '1.1.1.1, 2.2.2.2', '']],
  ['X-HTTP-Method-Override', ['DELETE']],
  ['Authorization', ['Basic', 'Basic eDp4', 'Bearer x', 'Negotiate x', 'Basic \u00ff']],
  ['Origin', ['https://page.example', 'null', 'x']],
  ['Sec-Fetch-Site', ['cross-site', 'same-origin', 'none', 'x']],
  ['Host', ['localhost', 'page.example', '']],
  ['Expect', ['100-continue', 'x']],
  ['Cookie', ['io=x', '__proto__=1']],
  ['traceparent', ['00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', 'x']],
];
const METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS', 'PROPFIND'];
const ODD_VALUES: readonly unknown[] = [
  ...[
    null,
    true,
    0,
    -1,
    1.5,
    1e308,
    -0,
    32768,
    2 ** 53,
    '',
    ' ',
    'x',
    '\u0000',
    '\ud800',
    'NaN',
    '1e999',
    '0001-01-01T00:00:00',
    [],
    {},
    [[]],
  ],
  ...[[null], { '': 1 }, { 4: 'yesterday' }, { 99999: 'x' }, { '-1': 1 }, { constructor: 1 }, UNKNOWN, PART, CATALOG, ROOT_PART],
  ...[
    'P:/Pump/',
    'PP:/Pump/New/',
    'PC:/Pump/New/',
    '/',
    'P:/x',
    'PPPP:/a/b/',
    'x'.repeat(5_000),
    [1, 2, 3],
    Array.from({ length: 200 }, () => ({})),
  ],
];
/** Addresses of the sockets, which are not documented. */
const SOCKETS: Operation[] = [
  {
    method: 'GET',
    path: '/socket.io/',
    parameters: [
      { in: 'query', name: 'EIO', example: 4 },
      { in: 'query', name: 'transport', example: 'polling' },
    ],
  },
  {
    method: 'GET',
    path: '/events/',
    parameters: [
      { in: 'query', name: 'EIO', example: 4 },
      { in: 'query', name: 'transport', example: 'polling' },
    ],
  },
  {
    method: 'POST',
    path: '/socket.io/',
    parameters: [
      { in: 'query', name: 'EIO', example: 4 },
      { in: 'query', name: 'sid', example: 'x' },
    ],
  },
  { method: 'POST', path: '/events/negotiate', parameters: [{ in: 'query', name: 'negotiateVersion', example: 1 }] },
];

/** Generates valid, nearly valid and hostile requests to every address of a server's documents and of its sockets. */
export class RandomRequests {
  private readonly operations: Operation[];
  private readonly random: SeededRandom;
  private round: Operation[] = [];

  constructor(documents: readonly RequestDocument[], random: SeededRandom) {
    this.random = random;
    const byName = new Map<string, Operation>(SOCKETS.map((operation) => [nameOf(operation), operation]));
    for (const { paths } of documents)
      for (const [path, operations] of Object.entries(paths))
        for (const [method, documented] of Object.entries(operations)) {
          const operation = { ...documented, method: method.toUpperCase(), path };
          byName.set(nameOf(operation), operation);
        }
    this.operations = [...byName.values()];
  }

  /** Names of all operations, as {@link RandomRequest.operation} has them. */
  get names(): string[] {
    return this.operations.map(nameOf);
  }

  /** Uses the operations in turn, in random order. */
  next(): RandomRequest {
    if (this.round.length === 0) this.round = this.random.shuffled(this.operations);
    const operation = this.round.pop() as Operation;
    // Two of three requests have at most one deviation from the documents.
    const oddness = this.random.pick([0, 0.04, 0.25]);
    return { ...this.request(operation, oddness), operation: nameOf(operation) };
  }

  private request(operation: Operation, oddness: number): WholeRequest {
    const { random } = this;
    const parameters = operation.parameters ?? [];
    const method = random.chance(oddness / 3) ? random.pick(METHODS) : operation.method;
    const query = parameters
      .filter(({ in: location }) => location === 'query' && random.chance(0.35))
      .flatMap((one) => this.pairs(one, oddness));
    if (random.chance(oddness / 2)) query.push(`${asSent(random.pick(HOSTILE_TEXTS))}=${asSent(random.pick(HOSTILE_TEXTS))}`);
    const path = this.path(operation, oddness);
    const headers: Record<string, string> = {};
    for (const parameter of parameters)
      if (parameter.in === 'header' && random.chance(headerChance(parameter.name)))
        headers[parameter.name] = headerText(this.value(parameter, oddness));
    // Pages answer only clients that ask for them by name.
    if (operation.responses?.[200]?.content?.['text/html'] !== undefined && random.chance(0.5)) headers['Accept'] = 'text/html';
    const content = operation.requestBody?.content;
    const type = Object.keys(content ?? {})[0];
    const body = type === undefined ? this.noBody(oddness) : this.body(type, content?.[type]?.example, oddness);
    if (body !== undefined) headers['Content-Type'] = type === undefined || type === '*/*' ? 'text/plain' : type;
    if (random.chance(oddness)) {
      const [name, values] = random.pick(ANY_HEADERS);
      headers[name] = random.pick(values);
    }
    const wasCompressed = body !== undefined && random.chance(0.05);
    if (wasCompressed) headers['Content-Encoding'] = 'gzip';
    return {
      method,
      path: query.length > 0 ? `${path}?${query.join('&')}` : path,
      headers,
      body: wasCompressed ? gzipSync(body) : body,
    };
  }

  private path({ path, parameters = [] }: Operation, oddness: number): string {
    const { random } = this;
    const filled = path.replace(/\{(\w+)\}/g, (_all, name: string) => {
      const parameter = parameters.find((one) => one.name === name) ?? { in: 'path', name };
      return asSent(this.value(parameter, oddness)).replaceAll('?', '%3F');
    });
    if (!random.chance(oddness)) return random.chance(0.05) ? `${filled}/` : filled;
    return random.pick([
      () => filled.toUpperCase(),
      () => `${filled}/${asSent(random.pick(HOSTILE_TEXTS)).replaceAll('?', '%3F')}`,
      () => filled.replace(/[^/]+$/, ''),
      () => filled.replace(/[^/]+$/, asSent(random.pick(HOSTILE_TEXTS)).replaceAll('?', '%3F')),
      () => `/${filled}`,
      () => filled.replace('/', '/./'),
      () => `${filled};x=1`,
      () => `${filled}//`,
    ])();
  }

  private pairs(parameter: { name: string; example?: string | number | boolean }, oddness: number): string[] {
    const { random } = this;
    const pair = () =>
      `${name}=${random.chance(0.5) ? encodeURIComponent(this.value(parameter, oddness)) : asSent(this.value(parameter, oddness))}`;
    const name = random.chance(0.1) ? parameter.name.toLowerCase() : parameter.name;
    return random.chance(oddness / 4) ? [pair(), pair()] : [pair()];
  }

  private value({ name, example }: { name: string; example?: string | number | boolean }, oddness: number): string {
    const { random } = this;
    if (random.chance(oddness)) return random.pick(HOSTILE_TEXTS);
    const fitting = FITTING.find(([pattern]) => pattern.test(name))?.[1];
    if (example !== undefined && (fitting === undefined || random.chance(0.75))) return String(example);
    return random.pick(fitting ?? HOSTILE_TEXTS);
  }

  private noBody(oddness: number): Buffer | undefined {
    return this.random.chance(oddness / 4) ? Buffer.from(this.random.pick(['{}', '[]', 'x', ''])) : undefined;
  }

  private body(type: string, example: unknown, oddness: number): Buffer {
    const { random } = this;
    if (type === '*/*')
      return random.pick([
        ...FILES.map(([, , content]) => content),
        Buffer.alloc(0),
        Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
      ]);
    let value = example;
    while (random.chance(oddness)) value = this.mutated(value);
    const text = Buffer.from(JSON.stringify(value) ?? '');
    if (!random.chance(oddness / 2)) return text;
    return random.pick([
      () => text.subarray(0, random.below(text.length + 1)),
      () => Buffer.concat([text, text]),
      () => Buffer.from(text.toString().replace(/\d+/, '123456789012345678901234567890e5')),
      () => Buffer.from(`\ufeff${text.toString()}`),
      () => Buffer.from(text.toString(), 'utf16le'),
      () => Buffer.from('['.repeat(40)),
      () => Buffer.from(Array.from({ length: 50 }, () => random.below(256))),
      () => Buffer.from(text.map((byte) => (random.chance(0.02) ? random.below(256) : byte))),
    ])();
  }

  private mutated(value: unknown): unknown {
    const { random } = this;
    if (Array.isArray(value) && value.length > 0 && random.chance(0.85)) {
      const at = random.below(value.length);
      if (random.chance(0.1)) return [...(value as unknown[]), value[at]];
      return value.map((item: unknown, i) => (i === at ? this.mutated(item) : item));
    }
    if (typeof value === 'object' && value !== null && Object.keys(value).length > 0 && random.chance(0.9)) {
      const members = value as Record<string, unknown>;
      const name = random.pick(Object.keys(members));
      const { [name]: member, ...others } = members;
      return random.pick<() => unknown>([
        () => ({ ...members, [name]: this.mutated(member) }),
        () => ({ ...members, [name]: random.pick(ODD_VALUES) }),
        () => others,
        () => ({ ...others, [name.toUpperCase()]: member }),
        () => ({ ...members, [random.pick(HOSTILE_TEXTS)]: random.pick(ODD_VALUES) }),
      ])();
    }
    return random.pick(ODD_VALUES);
  }
}

const nameOf = ({ method, path }: Operation) => `${method} ${path}`;
/** An upload without a name is refused; without this header hardly anything would be stored. */
const headerChance = (name: string) => (name === 'Content-Disposition' ? 0.95 : 0.15);
/** Node's client refuses other characters itself. */
const headerText = (text: string) => text.replace(/[^\t\x20-\x7e\x80-\xff]/g, '');
