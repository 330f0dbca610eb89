import { Ajv2020 } from 'ajv/dist/2020.js';

export interface ApiDocument {
  paths: Record<string, Record<string, DocumentedOperation>>;
}

interface DocumentedOperation {
  parameters?: { name: string; 'x-multi-segment'?: boolean }[];
  responses: Record<string, { content?: Record<string, unknown> }>;
}

export interface SeenAnswer {
  method: string;
  /** Path with query, as sent. */
  path: string;
  status: number;
  /** Value of the header; `undefined` without one. */
  contentType: string | undefined;
  /** `undefined` when the body is not checked. */
  bytes: Buffer | undefined;
}

interface KnownPath {
  document: number;
  template: string;
  segments: string[];
  /** Whether its last segment is a parameter that may hold slashes. */
  isOpenEnded: boolean;
}

/** Statuses of any address, with the body of every failure: the documents state them for all addresses at once. */
const ANYWHERE = [404, 405, 414, 421, 431, 503];
const ERROR_BODY = '/components/schemas/ErrorBody';
/** Addresses of Socket.IO, which OpenAPI cannot describe. */
const SOCKETS = /^\/(events|socket\.io)(\/|$)/i;
const SHOWN_CHARACTERS = 300;

export class DocumentedAnswers {
  private readonly ajv = new Ajv2020({ strict: false, validateFormats: false });
  private readonly documents: readonly ApiDocument[];
  private readonly paths: KnownPath[];

  constructor(documents: readonly ApiDocument[]) {
    this.documents = documents;
    documents.forEach((document, i) => this.ajv.addSchema(document, nameOf(i)));
    this.paths = documents.flatMap(({ paths }, document) =>
      Object.entries(paths).map(([template, operations]) => ({
        document,
        template,
        segments: segmentsOf(template),
        isOpenEnded: Object.values(operations).some(({ parameters }) => parameters?.some((parameter) => parameter['x-multi-segment'])),
      })),
    );
  }

  /** Returns the difference between an answer and the documents; `undefined` when they agree, or for Socket.IO. */
  problem(answer: SeenAnswer): string | undefined {
    const address = mergedAddress(answer.path.split('?')[0] ?? '');
    if (SOCKETS.test(address)) return undefined;
    const method = answer.method === 'HEAD' ? 'get' : answer.method.toLowerCase();
    const found = this.pathOf(address, method);
    const operation = found && this.documents[found.document]?.paths[found.template]?.[method];
    const response = operation?.responses[answer.status];
    if (found && response)
      return this.bodyProblem(answer, found.document, pointerTo('paths', found.template, method, 'responses', answer.status), response);
    // Pages of other origins are refused before routing; a documented operation lists this status itself.
    const isForeignPage = answer.status === 403 && !operation;
    const isMalformed = answer.status === 400 && (!isDecodable(address) || isUnclearDeletion(method, address));
    if (ANYWHERE.includes(answer.status) || isForeignPage || isMalformed) return this.jsonProblem(answer, found?.document ?? 0, ERROR_BODY);
    if (!found) return `no document has this address, and it does not answer ${ANYWHERE.join(', ')}`;
    return operation ? `the status is not in its document` : `${found.template} has no such method, and it does not answer 405`;
  }

  /** Finds the most exact path that has the method, else the most exact one. */
  private pathOf(address: string, method: string): KnownPath | undefined {
    const segments = segmentsOf(address).map((segment) => segment.toLowerCase());
    const matching = this.paths.filter(({ segments: known, isOpenEnded }) => {
      if (isOpenEnded ? segments.length < known.length : segments.length !== known.length) return false;
      return known.every((segment, i) =>
        isParameter(segment) ? isOpenEnded || segments[i] !== '' : segment.toLowerCase() === segments[i],
      );
    });
    const parameters = ({ segments: known }: KnownPath) => known.filter(isParameter).length;
    const sorted = matching.sort((a, b) => Number(a.isOpenEnded) - Number(b.isOpenEnded) || parameters(a) - parameters(b));
    return sorted.find(({ document, template }) => this.documents[document]?.paths[template]?.[method]) ?? sorted[0];
  }

  private bodyProblem(
    answer: SeenAnswer,
    document: number,
    pointer: string,
    { content }: { content?: Record<string, unknown> },
  ): string | undefined {
    if (answer.method === 'HEAD') return undefined;
    if (!content) return answer.bytes && answer.bytes.length > 0 ? `its document has no body for it: ${shown(answer.bytes)}` : undefined;
    const type = (answer.contentType ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
    const media = Object.keys(content).find((pattern) => pattern === '*/*' || pattern === type || pattern === `${type.split('/')[0]}/*`);
    if (media === undefined) return `its type is ${type || 'missing'}, documented are ${Object.keys(content).join(', ')}`;
    return media === 'application/json' ? this.jsonProblem(answer, document, pointer + pointerTo('content', media, 'schema')) : undefined;
  }

  private jsonProblem({ method, contentType, bytes }: SeenAnswer, document: number, pointer: string): string | undefined {
    if (method === 'HEAD' || !bytes) return undefined;
    if (!/^application\/json\b/i.test(contentType ?? '')) return `its type is ${contentType ?? 'missing'}: ${shown(bytes)}`;
    let body: unknown;
    try {
      body = JSON.parse(bytes.toString());
    } catch {
      return `it is no JSON: ${shown(bytes)}`;
    }
    const validate = this.ajv.getSchema(`${nameOf(document)}#${pointer}`);
    if (!validate) throw new Error(`${nameOf(document)} has no schema at ${pointer}`);
    return validate(body) ? undefined : `${this.ajv.errorsText(validate.errors, { dataVar: 'body' })}: ${shown(bytes)}`;
  }
}

/** Makes one slash of several before and behind the first segment, as the server does. spec: decisions.md 1.4 */
function mergedAddress(address: string): string {
  return address.replace(/^\/+([^/]*)(\/*)/, (_all, first: string, behind: string) => `/${first}${behind === '' ? '' : '/'}`);
}

/** Whether the percent-encoding is valid; otherwise any address answers 400. */
function isDecodable(address: string): boolean {
  try {
    decodeURIComponent(address);
    return true;
  } catch {
    return false;
  }
}

/** Deletions with an empty segment, `#` or `\` in their address are refused before routing. spec: decisions.md 1.4 */
function isUnclearDeletion(method: string, address: string): boolean {
  return (method === 'delete' || (method === 'post' && /\/clear\/*$/i.test(address))) && /\/\/|[#\\]/.test(address);
}

const nameOf = (document: number) => `document-${document}`;
const isParameter = (segment: string) => /^\{.*\}$/.test(segment);
const segmentsOf = (path: string) => path.replace(/\/$/, '').split('/');
const shown = (bytes: Buffer) => bytes.subarray(0, SHOWN_CHARACTERS).toString();

function pointerTo(...words: (string | number)[]): string {
  return words.map((word) => `/${encodeURIComponent(String(word).replaceAll('~', '~0').replaceAll('/', '~1'))}`).join('');
}
