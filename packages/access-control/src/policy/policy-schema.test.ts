import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { policyJsonSchema } from './policy-schema.ts';

describe('published schema of access policies', () => {
  it('equals the schema in the code: npm run sinebar -- access schema > docs/access-policy.schema.json', () => {
    const published = readFileSync(join(import.meta.dirname, '../../../../docs/access-policy.schema.json'), 'utf8');
    expect(JSON.parse(published)).toEqual(JSON.parse(JSON.stringify(policyJsonSchema())));
  });

  it('refuses unknown members', () => {
    expect(policyJsonSchema()).toMatchObject({ additionalProperties: false, required: ['roles'] });
  });
});
