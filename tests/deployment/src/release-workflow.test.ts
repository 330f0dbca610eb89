import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';

const ROOT = join(import.meta.dirname, '../../..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

interface Step {
  uses?: string;
  run?: string;
}
interface Workflow {
  on: Record<string, { tags?: string[]; branches?: string[] }>;
  permissions: Record<string, string>;
  jobs: Record<string, { steps: Step[]; permissions?: Record<string, string> }>;
}
const workflow = parse(read('.github/workflows/release.yml')) as Workflow;
const steps = workflow.jobs['publish']?.steps ?? [];
const commands = steps.map(({ run }) => run ?? '').join('\n');

describe('the workflow of releases', () => {
  it('runs for tags only, and with rights of its own job only', () => {
    expect(workflow.on).toEqual({ push: { tags: ['v*'] } });
    expect(workflow.permissions).toEqual({ contents: 'read' });
    expect(Object.keys(workflow.jobs)).toEqual(['publish', 'pages']);
    expect(workflow.jobs['pages']?.permissions).toEqual({ pages: 'write', 'id-token': 'write' });
  });

  it.each(['ci', 'release'])('names every action of %s by its commit', (name) => {
    const { jobs } = parse(read(`.github/workflows/${name}.yml`)) as Workflow;
    const used = Object.values(jobs).flatMap((job) => job.steps.flatMap(({ uses }) => uses ?? []));
    expect(used.length).toBeGreaterThan(2);
    expect(used.filter((action) => !/@[0-9a-f]{40}$/.test(action))).toEqual([]);
  });

  it('builds the image on a base with its digest', () => {
    expect(commands).toContain('base=$base@$(crane digest "$base")');
    expect(commands).toContain('RELEASE_BASE_IMAGE="$base"');
  });

  it('reads its notes from the changelog before it builds anything', () => {
    const position = (text: string) => steps.findIndex(({ run }) => run?.includes(text));
    expect(position('scripts/release/notes.mjs')).toBeGreaterThan(0);
    expect(position('scripts/release/notes.mjs')).toBeLessThan(position('release -- --pack'));
    expect(commands).toContain('--notes-file notes.md');
  });

  it('signs what it publishes before it publishes it', () => {
    const position = (text: string) => steps.findIndex(({ run }) => run?.includes(text));
    expect(position('cosign sign-blob')).toBeGreaterThan(position('release -- --pack'));
    for (const publishing of ['npm publish', 'gh release create'])
      expect(position(publishing)).toBeGreaterThan(position('cosign sign-blob'));
    expect(commands).toContain('npm publish "release/$name-$version.tgz" --provenance');
    expect(commands).not.toMatch(/--key\b|COSIGN_PASSWORD/);
  });
});
