import { BusUnavailableError, RequestTimedOutError } from './bus.ts';

/** Errors of requests to a service. Their messages reach users, so only the cause names the subject. */
export function nobodyAnswers(subject: string, cause?: unknown): BusUnavailableError {
  return new BusUnavailableError(
    'A service that is needed for this is not running. Try again in a few seconds.',
    new Error(`Nobody answers to ${subject}.`, { cause }),
  );
}

export function noAnswerInTime(subject: string, timeoutMs: number): RequestTimedOutError {
  return new RequestTimedOutError(
    'A service that is needed for this did not answer in time. Try again in a few seconds.',
    new Error(`No answer to ${subject} within ${timeoutMs} ms.`),
  );
}

export function requestNotSent(subject: string, cause: unknown): BusUnavailableError {
  return new BusUnavailableError(
    'The message broker did not take the request. Try again in a few seconds.',
    new Error(`The request to ${subject} could not be sent.`, { cause }),
  );
}
