import type { Database } from '@sinebar/database';
import type { Bus, Subscription } from '@sinebar/message-bus';
import {
  listPartsRequestSchema,
  resolveTargetsRequestSchema,
  SERVICE_SUBJECTS,
  type ListPartsReply,
  type ResolveTargetsReply,
} from '@sinebar/runtime';
import { existingTargets, targetName } from './target-store.ts';

const STATEMENT_TIMEOUT_MS = 10_000;

/** Answers requests of other services about the inspection plan and its measurements. */
export async function answerTargetRequests(bus: Bus, database: Database): Promise<Subscription[]> {
  const work = () => ({ signal: AbortSignal.timeout(STATEMENT_TIMEOUT_MS), statementTimeoutMs: STATEMENT_TIMEOUT_MS });

  const resolveTargets = async (body: unknown): Promise<ResolveTargetsReply> => {
    const { targets } = resolveTargetsRequestSchema.parse(body);
    const known = await database.read(work(), (session) => existingTargets(session, targets));
    return { targets: targets.map((target) => known.get(targetName(target)) ?? null) };
  };

  const listParts = async (body: unknown): Promise<ListPartsReply> => {
    const { after, limit } = listPartsRequestSchema.parse(body);
    const parts = await database.read(work(), (session) =>
      session.query<{ uuid: string; path: string }>(
        `SELECT uuid, path FROM plan_item WHERE kind = 'part' AND ($1::uuid IS NULL OR uuid > $1) ORDER BY uuid LIMIT $2`,
        [after ?? null, limit + 1],
      ),
    );
    return { parts: parts.slice(0, limit), more: parts.length > limit };
  };

  const first = await bus.respond(SERVICE_SUBJECTS.resolveTargets, resolveTargets);
  try {
    return [first, await bus.respond(SERVICE_SUBJECTS.listParts, listParts)];
  } catch (error) {
    await first.stop();
    throw error;
  }
}
