/** A request that a page makes: what its reader would send to get the same data. */
export interface ProgramRequest {
  /** Use of the answer, such as `individuals, moving range`. */
  readonly title: string;
  /** Path from the root of the server, such as `/analysisServiceRest/characteristics/…/summary`. */
  readonly path: string;
  /** Parameters that were chosen; empty ones are left out. */
  readonly query?: Readonly<Record<string, ProgramValue | readonly string[]>>;
}

type ProgramValue = string | number | boolean | undefined;

/** Words of a program, so that the page can mark them: what the reader chose, the words of the language, comments. */
export interface ProgramWord {
  readonly text: string;
  readonly kind?: 'chosen' | 'keyword' | 'comment';
}
export type Program = readonly (readonly ProgramWord[])[];

export const PROGRAM_LANGUAGES = ['curl', 'python', 'javascript', 'csharp'] as const;
export type ProgramLanguage = (typeof PROGRAM_LANGUAGES)[number];

export const LANGUAGE_NAMES: Record<ProgramLanguage, string> = { curl: 'curl', python: 'Python', javascript: 'JavaScript', csharp: 'C#' };
export const FILE_ENDINGS: Record<ProgramLanguage, string> = { curl: 'sh', python: 'py', javascript: 'mjs', csharp: 'cs' };

/** Parameters as they travel: lists as the server reads them, `{a,b}`. */
function parametersOf({ query = {} }: ProgramRequest): [name: string, value: string][] {
  return Object.entries(query).flatMap(([name, value]): [string, string][] => {
    if (value === undefined || value === '') return [];
    if (Array.isArray(value))
      return value.length === 0 ? [] : [[name, /uuid|exclude/i.test(name) ? `{${value.join(',')}}` : value.join(',')]];
    return [[name, String(value)]];
  });
}

/** The address of a request below the server. */
export function addressOf(request: ProgramRequest): string {
  const parameters = parametersOf(request);
  const query = new URLSearchParams(parameters).toString();
  return query === '' ? request.path : `${request.path}?${query}`;
}

export interface ProgramOptions {
  /** Address of the server without a slash at the end. */
  server: string;
  /** How the program signs in. */
  signIn: ProgramSignIn;
}

/** Not at all, with name and password, or with a token of the provider; programs take them from the environment. */
export type ProgramSignIn = 'none' | 'basic' | 'token';

const plain = (text: string): ProgramWord => ({ text });
const chosen = (text: string): ProgramWord => ({ text, kind: 'chosen' });
const keyword = (text: string): ProgramWord => ({ text, kind: 'keyword' });
const comment = (text: string): ProgramWord => ({ text, kind: 'comment' });

/** Writes the request as a program that prints the answer. */
export function programOf(language: ProgramLanguage, request: ProgramRequest, options: ProgramOptions): Program {
  return WRITERS[language](request, options);
}

export function textOf(program: Program): string {
  return `${program.map((line) => line.map(({ text }) => text).join('')).join('\n')}\n`;
}

const FETCHES: Readonly<Record<ProgramSignIn, string>> = {
  none: ' fetch(address);',
  basic: " fetch(address, { headers: { Authorization: 'Basic ' + btoa(process.env.USER_NAME + ':' + process.env.PASSWORD) } });",
  token: " fetch(address, { headers: { Authorization: 'Bearer ' + process.env.TOKEN } });",
};

const CSHARP_HEADERS: Readonly<Record<Exclude<ProgramSignIn, 'none'>, string>> = {
  basic:
    '("Basic", Convert.ToBase64String(Encoding.UTF8.GetBytes(Environment.GetEnvironmentVariable("USER_NAME") + ":" + Environment.GetEnvironmentVariable("PASSWORD"))));',
  token: '("Bearer", Environment.GetEnvironmentVariable("TOKEN"));',
};

const WRITERS: Record<ProgramLanguage, (request: ProgramRequest, options: ProgramOptions) => Program> = {
  curl: (request, { server, signIn }) => [
    [plain('curl --fail-with-body --get \\')],
    ...(signIn === 'token' ? [[plain('  --header "Authorization: Bearer $TOKEN" \\')]] : []),
    ...(signIn === 'basic' ? [[plain('  --user "$USER_NAME:$PASSWORD" \\')]] : []),
    ...parametersOf(request).map(([name, value]) => [plain(`  --data-urlencode '${name}=`), chosen(shellQuoted(value)), plain("' \\")]),
    [plain(`  '${server}`), chosen(request.path), plain("'")],
  ],
  python: (request, { server, signIn }) => [
    [keyword('import'), plain(signIn === 'none' ? ' json, requests' : ' json, os, requests')],
    [],
    [plain('answer = requests.get(')],
    [plain(`    "${server}`), chosen(request.path), plain('",')],
    ...blockOf(request, { open: '    params={', close: '    },', line: (name) => `        "${name}": "`, end: '",', quote: '"' }),
    ...(signIn === 'token' ? [[plain('    headers={"Authorization": "Bearer " + os.environ["TOKEN"]},')]] : []),
    ...(signIn === 'basic' ? [[plain('    auth=(os.environ["USER_NAME"], os.environ["PASSWORD"]),')]] : []),
    [plain('    timeout=30,')],
    [plain(')')],
    [plain('answer.raise_for_status()  '), comment('# says which parameter is wrong')],
    [keyword('print'), plain('(json.dumps(answer.json(), indent=2))')],
  ],
  javascript: (request, { server, signIn }) => [
    [keyword('const'), plain(' address = '), keyword('new'), plain(` URL('${server}`), chosen(request.path), plain("');")],
    ...parametersOf(request).map(([name, value]) => [
      plain(`address.searchParams.set('${name}', '`),
      chosen(quoted(value, "'")),
      plain("');"),
    ]),
    [keyword('const'), plain(' answer = '), keyword('await'), plain(FETCHES[signIn])],
    [keyword('if'), plain(' (!answer.ok) '), keyword('throw new'), plain(' Error('), keyword('await'), plain(' answer.text());')],
    [plain('console.log('), keyword('await'), plain(' answer.json());')],
  ],
  csharp: (request, { server, signIn }) => [
    [keyword('using var'), plain(' client = '), keyword('new'), plain(' HttpClient();')],
    ...(signIn === 'none' ? [] : [[plain('client.DefaultRequestHeaders.Authorization = '), keyword('new'), plain(CSHARP_HEADERS[signIn])]]),
    ...csharpQuery(request),
    [keyword('var'), plain(` address = "${server}`), chosen(request.path), plain(parametersOf(request).length > 0 ? '?" + query;' : '";')],
    [keyword('var'), plain(' answer = '), keyword('await'), plain(' client.GetAsync(address);')],
    [plain('answer.EnsureSuccessStatusCode();')],
    [plain('Console.WriteLine('), keyword('await'), plain(' answer.Content.ReadAsStringAsync());')],
  ],
};

function blockOf(
  request: ProgramRequest,
  { open, close, line, end, quote }: { open: string; close: string; line: (name: string) => string; end: string; quote: string },
): ProgramWord[][] {
  const parameters = parametersOf(request);
  if (parameters.length === 0) return [];
  return [
    [plain(open)],
    ...parameters.map(([name, value]) => [plain(line(name)), chosen(quoted(value, quote)), plain(end)]),
    [plain(close)],
  ];
}

function csharpQuery(request: ProgramRequest): ProgramWord[][] {
  const parameters = parametersOf(request);
  if (parameters.length === 0) return [];
  return parameters.map(([name, value], i) => [
    ...(i === 0 ? [keyword('var'), plain(' query = ')] : [plain('    + ')]),
    plain(`"${i === 0 ? '' : '&'}${name}=" + Uri.EscapeDataString("`),
    chosen(quoted(value, '"')),
    plain(i === parameters.length - 1 ? '");' : '")'),
  ]);
}

/** Escapes a text for quotes of one kind. */
function quoted(value: string, quote: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll(quote, `\\${quote}`);
}

/** Escapes a text for single quotes of a shell: one in it ends the text, stands alone, and begins it again. */
function shellQuoted(value: string): string {
  return value.replaceAll("'", String.raw`'\''`);
}
