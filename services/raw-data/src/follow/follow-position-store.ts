import type { Session } from '@sinebar/database';
import type { StreamPosition } from '@sinebar/message-bus';

export class FollowPositionStore {
  private readonly session: Session;

  constructor(session: Session) {
    this.session = session;
  }

  /** @returns `null` when the mirror was never filled */
  async read(): Promise<StreamPosition | null> {
    return this.select('');
  }

  /** Locks the position, because two replicas may believe for a moment that they lead; the second then sees the changes of the first. */
  async lock(): Promise<StreamPosition | null> {
    return this.select('FOR UPDATE');
  }

  async save(position: StreamPosition): Promise<void> {
    await this.session.query('UPDATE follow_position SET epoch = $1, sequence = $2::bigint', [position.epoch, position.sequence]);
  }

  /** @returns the number of the next refill */
  async nextGeneration(): Promise<number> {
    const [row] = await this.session.query<{ generation: string }>(
      'UPDATE follow_position SET generation = generation + 1 RETURNING generation::text AS generation',
    );
    return Number(row?.generation);
  }

  private async select(lock: string): Promise<StreamPosition | null> {
    const [row] = await this.session.query<{ epoch: string | null; sequence: string }>(
      `SELECT epoch, sequence::text AS sequence FROM follow_position ${lock}`,
    );
    return row?.epoch == null ? null : { epoch: row.epoch, sequence: Number(row.sequence) };
  }
}
