import { grammarParameter, uuidParameter } from '@sinebar/http';
import { GrammarError, parseMarkedPath, parseUnmarkedPath, storedPath, storedPartPath } from '@sinebar/query-language';
import { z } from 'zod';
import { reasonMember, strictMembers, timeMember } from '../../shared/body-members.ts';

/** The content of a POST. */
export interface NewMute {
  part: { uuid: string } | { /** Stored path. */ path: string };
  /** ISO 8601. */
  from?: string | undefined;
  until: string;
  reason: string;
  uuid?: string | undefined;
}

/** A path with or without type marker: the answers have one, the parameters of addresses have none. */
const partPath = z.string('must be a text').pipe(
  grammarParameter((text) => {
    if (!/^[pc]+:/i.test(text)) return storedPartPath(parseUnmarkedPath(text));
    const elements = parseMarkedPath(text);
    if (elements.some(({ kind }) => kind !== 'part')) throw new GrammarError('the path of a part has a type marker of P alone', 0);
    return storedPath(elements);
  }),
);

/** Body of a POST. */
export const newMuteBody = strictMembers({
  partUuid: uuidParameter.optional(),
  partPath: partPath.optional(),
  from: timeMember.optional(),
  until: timeMember,
  reason: reasonMember,
  uuid: uuidParameter.optional(),
}).transform(({ partUuid, partPath: path, ...rest }, context): NewMute => {
  if (partUuid !== undefined && path !== undefined) {
    context.addIssue({ code: 'custom', message: 'does not go together with partUuid', path: ['partPath'] });
    return z.NEVER;
  }
  if (partUuid !== undefined) return { part: { uuid: partUuid }, ...rest };
  if (path !== undefined) return { part: { path }, ...rest };
  context.addIssue({ code: 'custom', message: 'needs partUuid or partPath' });
  return z.NEVER;
});
