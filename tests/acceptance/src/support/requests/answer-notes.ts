import { afterAll } from '@jest/globals';
import { DocumentedAnswers, type ApiDocument, type SeenAnswer } from './documented-answers.ts';

/** Requests one address of a server. @throws when no answer arrives */
export type Ask = (url: string, path: string) => Promise<{ status: number; json(): unknown }>;

/** Similar answers: from one server, for the same kind of address, with the same status and type. */
interface Kind {
  url: string;
  count: number;
  kept: SeenAnswer[];
  keptBytes: number;
}

interface Server {
  documents: ApiDocument[] | undefined;
  asking: Promise<void> | undefined;
  askedMs: number;
}

const DOCUMENTS = ['data', 'rawData', 'event'].map((service) => `/${service}ServiceRest/openapi.json`);
/** Maximum kept per kind, so that hours of load cost neither memory nor time. */
const KEPT = { answers: 20, bytes: 2 ** 20, firstBytes: 16 * 2 ** 20 };
const MAX_KINDS = 5_000;
/** Delay between two attempts to read the documents of a failing server, milliseconds. */
const PAUSE_MS = 500;
const MAX_SHOWN = 20;

/**
 * Records the answers of servers and compares them with their OpenAPI documents on request.
 * Recording is cheap, and nothing is thrown where answers are counted.
 */
export class AnswerNotes {
  private readonly ask: Ask;
  private readonly kinds = new Map<string, Kind>();
  private readonly servers = new Map<string, Server>();
  private passedOver = 0;

  constructor(ask: Ask) {
    this.ask = ask;
  }

  note(url: string, answer: SeenAnswer): void {
    this.askForDocuments(url);
    const { method, path, status, contentType, bytes } = answer;
    const key = [url, method, shapeOf(path), status, contentType].join(' ');
    let kind = this.kinds.get(key);
    if (!kind) {
      if (this.kinds.size >= MAX_KINDS) {
        this.passedOver += 1;
        return;
      }
      this.kinds.set(key, (kind = { url, count: 0, kept: [], keptBytes: 0 }));
    }
    kind.count += 1;
    const size = bytes?.length ?? 0;
    if (kind.count === 1) kind.kept.push({ ...answer, bytes: size > KEPT.firstBytes ? undefined : bytes });
    else if (kind.kept.length < KEPT.answers && kind.keptBytes + size <= KEPT.bytes) kind.kept.push(answer);
    else return;
    kind.keptBytes += size;
  }

  /**
   * Compares the recorded answers.
   * @returns one line for each kind of answer that contradicts the documents, or when too few could be compared
   * Answers of a server that was killed before its documents were read cannot be compared; that must stay the exception.
   */
  async problems(): Promise<string[]> {
    for (const { asking } of this.servers.values()) await asking;
    const documented = new Map<string, DocumentedAnswers>();
    for (const [url, { documents }] of this.servers) if (documents) documented.set(url, new DocumentedAnswers(documents));
    const counts = { all: this.passedOver, compared: 0 };
    const problems: string[] = [];
    for (const { url, count, kept } of this.kinds.values()) {
      counts.all += count;
      const documents = documented.get(url);
      if (!documents) continue;
      counts.compared += count;
      const problem = kept.map((answer) => ({ answer, text: documents.problem(answer) })).find(({ text }) => text !== undefined);
      if (problem)
        problems.push(`${problem.answer.method} ${problem.answer.path.slice(0, 200)} answered ${problem.answer.status}: ${problem.text}`);
    }
    if (counts.compared < counts.all / 2)
      problems.push(`of ${counts.all} answers only ${counts.compared} could be compared with the documents`);
    return problems;
  }

  private askForDocuments(url: string): void {
    const server = this.servers.get(url) ?? { documents: undefined, asking: undefined, askedMs: -PAUSE_MS };
    this.servers.set(url, server);
    if (server.documents || server.asking || performance.now() - server.askedMs < PAUSE_MS) return;
    server.askedMs = performance.now();
    server.asking = (async () => {
      const answers = await Promise.all(DOCUMENTS.map((path) => this.ask(url, path)));
      const given = answers.filter(({ status }) => status === 200);
      // A service on a port of its own has only its own document.
      if (given.length > 0 && answers.every(({ status }) => status === 200 || status === 404))
        server.documents = given.map((answer) => answer.json() as ApiDocument);
    })()
      .catch(() => undefined)
      .finally(() => (server.asking = undefined));
  }
}

/** Collects the answers of the test file, whose end fails when one contradicts the documents. */
export function notesOfThisFile(ask: Ask): AnswerNotes {
  const notes = new AnswerNotes(ask);
  afterAll(async () => {
    const problems = await notes.problems();
    const more = problems.length > MAX_SHOWN ? [`and ${problems.length - MAX_SHOWN} more`] : [];
    if (problems.length > 0)
      throw new Error(['Answers differ from the OpenAPI documents:', ...problems.slice(0, MAX_SHOWN), ...more].join('\n'));
  });
  return notes;
}

/** Replaces identifiers in an address. */
function shapeOf(path: string): string {
  return (path.split('?')[0] ?? '')
    .slice(0, 200)
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/gi, 'uuid')
    .replace(/\/\d+(?=\/|$)/g, '/n');
}
