import type { Bus, ConsumeOptions } from '@sinebar/message-bus';

/** A bus whose requests a test can observe, and whose stream it can declare incomplete. */
export class AskedBus {
  /** Called before each request is sent. */
  onAsk: () => Promise<void> = () => Promise.resolve();
  /** Called when the reply has arrived, before the service receives it. */
  onReply: () => Promise<void> = () => Promise.resolve();
  private consumer: ConsumeOptions | undefined;

  readonly wrap = (inner: Bus): Bus =>
    new Proxy(inner, {
      get: (target, name) => {
        if (name === 'request') return (...question: Parameters<Bus['request']>) => this.request(target, question);
        if (name === 'consume') return (options: ConsumeOptions) => target.consume((this.consumer = options));
        const member = Reflect.get(target, name) as unknown;
        return typeof member === 'function' ? (member.bind(target) as unknown) : member;
      },
    });

  /** Reports the messages up to now as no longer stored. */
  async loseMessages(bus: Bus): Promise<void> {
    await (this.consumer as ConsumeOptions).onGap(await bus.streamState());
  }

  private async request(target: Bus, question: Parameters<Bus['request']>): Promise<unknown> {
    await this.onAsk();
    const reply = await target.request(...question);
    await this.onReply();
    return reply;
  }
}
