import { abortable, withTimeout } from '@sinebar/concurrency';
import { RequestFailedError, type RequestOptions, type Subscription } from '../bus.ts';
import { errorText, type BusLog } from '../bus-log.ts';
import { noAnswerInTime, nobodyAnswers } from '../request-errors.ts';
import { checkSubject } from '../subjects.ts';

interface Responder {
  handle: (body: unknown) => Promise<unknown>;
  running: Set<Promise<unknown>>;
}

/** Requests and signals in one process. Bodies are converted to JSON and back, so that both sides share no objects. */
export class InProcessRequests {
  private readonly log: BusLog;
  private readonly responders = new Map<string, Responder[]>();
  private readonly listeners = new Map<string, Set<() => void>>();
  private turn = 0;

  constructor(log: BusLog) {
    this.log = log;
  }

  async request(subject: string, body: unknown, { signal, timeoutMs }: RequestOptions, closed: AbortSignal): Promise<unknown> {
    checkSubject(subject);
    signal.throwIfAborted();
    const responders = this.responders.get(subject) ?? [];
    this.turn += 1;
    const responder = responders[this.turn % responders.length];
    if (responder === undefined) throw nobodyAnswers(subject);
    const reply = answer(responder, copy(body));
    const timedOut = () => noAnswerInTime(subject, timeoutMs);
    return await abortable(abortable(withTimeout(reply, timeoutMs, timedOut), closed), signal);
  }

  respond(subject: string, handle: (body: unknown) => Promise<unknown>): Subscription {
    checkSubject(subject);
    const responder: Responder = { handle, running: new Set() };
    this.responders.set(subject, [...(this.responders.get(subject) ?? []), responder]);
    return {
      stop: async () => {
        this.responders.set(
          subject,
          (this.responders.get(subject) ?? []).filter((other) => other !== responder),
        );
        await Promise.allSettled(responder.running);
      },
    };
  }

  signal(subject: string): void {
    for (const listen of this.listeners.get(subject) ?? []) {
      // Asynchronous, as from a broker: a listener neither delays the sender nor fails its call.
      setImmediate(() => {
        if (!this.listeners.get(subject)?.has(listen)) return;
        try {
          listen();
        } catch (error) {
          this.log.error({ subject, error: errorText(error) }, 'a signal listener failed');
        }
      });
    }
  }

  onSignal(subject: string, listen: () => void): Subscription {
    checkSubject(subject);
    // A wrapper, so that the same function can be registered twice and removed once.
    const listener = () => listen();
    const listeners = this.listeners.get(subject) ?? new Set();
    this.listeners.set(subject, listeners.add(listener));
    return {
      stop: () => {
        listeners.delete(listener);
        return Promise.resolve();
      },
    };
  }
}

async function answer(responder: Responder, body: unknown): Promise<unknown> {
  const work = (async () => copy(await responder.handle(body)))();
  responder.running.add(work);
  try {
    return await work;
  } catch (error) {
    throw new RequestFailedError(errorText(error), { cause: error });
  } finally {
    responder.running.delete(work);
  }
}

/** Copies a value as a broker would transfer it; `undefined` becomes `null`. */
function copy(body: unknown): unknown {
  return JSON.parse(JSON.stringify(body) ?? 'null') as unknown;
}
