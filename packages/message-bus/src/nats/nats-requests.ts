import { abortable, withTimeout } from '@sinebar/concurrency';
import { ServiceError } from '@sinebar/contracts';
import { errors, headers, type Msg, type NatsConnection, type Subscription as CoreSubscription } from '@nats-io/transport-node';
import { BusUnavailableError, RequestFailedError, RequestTimedOutError, type RequestOptions, type Subscription } from '../bus.ts';
import { errorText, type BusLog } from '../bus-log.ts';
import type { NatsLink } from './nats-link.ts';
import { noAnswerInTime, nobodyAnswers, requestNotSent } from '../request-errors.ts';
import { checkSubject } from '../subjects.ts';

type Reply = { ok: true; body: unknown } | { ok: false; error: string };

/** Queue group of all responders to a subject: the broker gives each request to one of them. */
const RESPONDERS = 'responders';
const FLUSH_TIMEOUT_MS = 5_000;
/** Bytes reserved for the headers, which count against the broker's limit as well. */
const HEADER_BYTES = 512;

interface Registration {
  attach(nc: NatsConnection): CoreSubscription;
  attached: CoreSubscription | undefined;
}

/** Requests and signals on core NATS. Registrations are kept here and repeated on every new connection. */
export class NatsRequests {
  private readonly link: NatsLink;
  private readonly prefix: string;
  private readonly log: BusLog;
  private readonly registrations = new Set<Registration>();

  /** @param prefix prefix of every subject: empty, or words that end in a dot */
  constructor(link: NatsLink, prefix: string, log: BusLog) {
    this.link = link;
    this.prefix = prefix;
    this.log = log;
  }

  attachAll(nc: NatsConnection): void {
    for (const registration of this.registrations) registration.attached = registration.attach(nc);
  }

  async request(subject: string, body: unknown, { signal, timeoutMs }: RequestOptions): Promise<unknown> {
    checkSubject(subject);
    signal.throwIfAborted();
    const { nc, lost } = this.link.session();
    const payload = JSON.stringify(body) ?? 'null';
    const limitBytes = nc.info?.max_payload ?? Number.POSITIVE_INFINITY;
    const sizeBytes = Buffer.byteLength(payload);
    if (sizeBytes + HEADER_BYTES > limitBytes)
      throw new RequestFailedError(`The request to ${subject} has ${sizeBytes} bytes; the broker takes ${limitBytes}.`);
    const timedOut = () => noAnswerInTime(subject, timeoutMs);
    if (timeoutMs < 1) throw timedOut();
    let message: Msg;
    try {
      const answer = nc.request(this.prefix + subject, payload, { timeout: timeoutMs, headers: headers() });
      message = await abortable(abortable(withTimeout(answer, timeoutMs, timedOut), lost), signal);
    } catch (error) {
      if (signal.aborted && error === signal.reason) throw error;
      if (error instanceof BusUnavailableError || error instanceof RequestTimedOutError) throw error;
      if (error instanceof errors.TimeoutError) throw timedOut();
      if (error instanceof errors.RequestError && error.isNoResponders()) throw nobodyAnswers(subject, error);
      throw requestNotSent(subject, error);
    }
    const reply = readReply(message);
    if (!reply.ok) throw new RequestFailedError(reply.error);
    return reply.body;
  }

  async respond(subject: string, handle: (body: unknown) => Promise<unknown>): Promise<Subscription> {
    checkSubject(subject);
    const running = new Set<Promise<void>>();
    const stopRegistration = await this.register((nc) =>
      nc.subscribe(this.prefix + subject, {
        queue: RESPONDERS,
        callback: (error, message) => {
          if (error) {
            this.log.error({ subject, error: errorText(error) }, 'the broker ended a responder');
            return;
          }
          const work = this.answer(subject, message, handle).finally(() => running.delete(work));
          running.add(work);
        },
      }),
    );
    return {
      stop: async () => {
        await stopRegistration();
        await Promise.all(running);
      },
    };
  }

  signal(subject: string): void {
    try {
      this.link.session().nc.publish(this.prefix + subject);
    } catch (error) {
      this.log.debug({ subject, error: errorText(error) }, 'a signal was not sent');
    }
  }

  async onSignal(subject: string, listen: () => void): Promise<Subscription> {
    checkSubject(subject);
    const stopRegistration = await this.register((nc) =>
      nc.subscribe(this.prefix + subject, {
        callback: (error) => {
          try {
            if (error) throw error;
            listen();
          } catch (failure) {
            this.log.error({ subject, error: errorText(failure) }, 'a signal listener failed');
          }
        },
      }),
    );
    return { stop: stopRegistration };
  }

  /** Resolves when the broker has the registration, or at once when it cannot be reached. @returns a function that removes it */
  private async register(attach: Registration['attach']): Promise<() => Promise<void>> {
    const registration: Registration = { attach, attached: undefined };
    this.registrations.add(registration);
    const nc = this.link.connection;
    if (nc !== undefined && !nc.isClosed()) {
      registration.attached = attach(nc);
      await this.whileConnected(async () => await nc.flush());
    }
    return async () => {
      this.registrations.delete(registration);
      const attached = registration.attached;
      registration.attached = undefined;
      if (attached === undefined || attached.isClosed()) return;
      // Draining delivers the requests that the broker has already sent.
      await this.whileConnected(async () => await attached.drain());
      attached.unsubscribe();
    };
  }

  private async whileConnected(work: () => Promise<void>): Promise<void> {
    try {
      const { lost } = this.link.session();
      await abortable(withTimeout(work(), FLUSH_TIMEOUT_MS), lost);
    } catch (error) {
      this.log.debug({ error: errorText(error) }, 'the broker has not received a subscription yet');
    }
  }

  private async answer(subject: string, message: Msg, handle: (body: unknown) => Promise<unknown>): Promise<void> {
    let reply: Reply;
    try {
      reply = { ok: true, body: await handle(readBody(message)) };
    } catch (error) {
      // The requester cannot distinguish a defect here from an outage.
      if (!(error instanceof ServiceError)) this.log.error({ subject, error: errorText(error) }, 'a request could not be answered');
      reply = { ok: false, error: errorText(error) };
    }
    try {
      message.respond(encodeReply(reply));
    } catch (error) {
      try {
        // Too large, or no JSON: the requester gets an error. When the connection is closed, this fails as well.
        message.respond(encodeReply({ ok: false, error: `The answer could not be sent: ${errorText(error)}` }));
      } catch (failure) {
        this.log.warn({ subject, error: errorText(failure) }, 'an answer could not be sent');
      }
    }
  }
}

function encodeReply(reply: Reply): string {
  return JSON.stringify(reply.ok ? { ok: true, body: reply.body ?? null } : reply);
}

function readBody(message: Msg): unknown {
  try {
    return message.json();
  } catch (error) {
    throw new Error('The request body is not JSON.', { cause: error });
  }
}

function readReply(message: Msg): Reply {
  try {
    const reply: unknown = message.json();
    if (typeof reply === 'object' && reply !== null && 'ok' in reply) {
      if (reply.ok === true) return { ok: true, body: 'body' in reply ? reply.body : null };
      if ('error' in reply && typeof reply.error === 'string') return { ok: false, error: reply.error };
    }
  } catch {
    // Invalid JSON is treated like JSON of another shape.
  }
  return { ok: false, error: 'The responder sent an unreadable answer.' };
}
