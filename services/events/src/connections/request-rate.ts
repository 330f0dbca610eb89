/** Limits the requests of one client in windows of one second. */
export class RequestRate {
  private windowStartMs = 0;
  private inWindow = 0;
  private refused = 0;
  private readonly perSecond: number;
  private readonly refusalsBeforeEnd: number;
  private readonly nowMs: () => number;

  /** @param perSecond requests that are answered in one second @param refusalsBeforeEnd refused requests after which the connection ends */
  constructor(perSecond: number, refusalsBeforeEnd: number, nowMs: () => number) {
    this.perSecond = perSecond;
    this.refusalsBeforeEnd = refusalsBeforeEnd;
    this.nowMs = nowMs;
  }

  next(): 'answer' | 'refuse' | 'end' {
    const now = this.nowMs();
    if (now - this.windowStartMs >= 1000) {
      this.windowStartMs = now;
      this.inWindow = 0;
    }
    this.inWindow += 1;
    if (this.inWindow <= this.perSecond) return 'answer';
    this.refused += 1;
    return this.refused > this.refusalsBeforeEnd ? 'end' : 'refuse';
  }
}
