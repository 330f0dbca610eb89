import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { tableMappingSchema } from './table-mapping.ts';

const PUBLISHED = new URL('../../../../docs/table-mapping.schema.json', import.meta.url);

describe('the mapping of a table', () => {
  it('has the published JSON schema', () => {
    expect(JSON.parse(readFileSync(PUBLISHED, 'utf8'))).toEqual(
      JSON.parse(JSON.stringify(z.toJSONSchema(tableMappingSchema, { io: 'input' }))),
    );
  });

  it('may be the example of the documentation', () => {
    const page = readFileSync(new URL('../../../../docs/files.md', import.meta.url), 'utf8');
    const example = /^```json\n([^]*?)^```$/m.exec(page)?.[1] ?? '';
    expect(tableMappingSchema.parse(JSON.parse(example)).columns).toHaveProperty('Durchmesser');
  });
});
