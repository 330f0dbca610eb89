import { randomBytes } from 'node:crypto';

/** Names of a JetStream stream that no other suite uses. */
export interface TestSubjects {
  stream: string;
  /** Put in front of every subject, followed by a dot; the stream's subjects are `<prefix>.>`. */
  prefix: string;
}

export function testSubjects(): TestSubjects {
  const id = uniqueId();
  return { stream: `TEST_${id.toUpperCase()}`, prefix: `test.${id}` };
}

/** A bucket name that S3 accepts and no other suite uses. The bucket is not created. */
export function testBucket(): string {
  return `sinebar-test-${uniqueId()}`;
}

/** 16 lower-case hexadecimal digits, different on every call. */
export function uniqueId(): string {
  return randomBytes(8).toString('hex');
}
