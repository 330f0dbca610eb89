import { PerUserQueue, type PerUserQueueOptions, type Reply, type RouteRequest } from '@sinebar/http';
import { inTurn, readerOf, type Reader } from '../shared/request-context.ts';

const ANALYSES_PER_USER = 4;
/** A statement and the event loop, which decodes its rows, can use two processors; more statements take them from other requests. */
const READS_PER_USER = 1;

export interface AnalysisReader extends Reader {
  /** Reads values of measurements when no other analysis of the same user does. @throws ServiceError 429 */
  readInTurn<T>(read: () => Promise<T>): Promise<T>;
}

/** Limits the analyses of one user that run at the same time, and those among them that read values. */
export class AnalysisQueue {
  private readonly analyses: PerUserQueue;
  private readonly reads: PerUserQueue;

  constructor(addressOf: PerUserQueueOptions['addressOf']) {
    const advice = 'Wait for one to end.';
    this.analyses = new PerUserQueue({ limit: ANALYSES_PER_USER, what: 'analyses', advice, addressOf });
    this.reads = new PerUserQueue({ limit: READS_PER_USER, what: 'analyses that read values', advice, addressOf });
  }

  /** Answers a request when its turn comes. @param route name in the validator of the answer. @throws ServiceError 429 */
  run(
    request: RouteRequest<unknown, unknown, unknown>,
    route: string,
    analyse: (reader: AnalysisReader) => Promise<Reply>,
  ): Promise<Reply> {
    const readInTurn = <T>(read: () => Promise<T>) => inTurn(this.reads, request, read);
    return inTurn(this.analyses, request, () => analyse({ ...readerOf(request, route), readInTurn }));
  }
}
