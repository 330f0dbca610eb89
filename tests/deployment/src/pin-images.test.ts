import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { ROOT } from './kubernetes-objects.fixture.ts';

const FILES = ['docker-compose.yml', 'infra/docker', 'infra/chart/values.yaml'];

interface Service {
  image?: string;
  build?: { args?: { NODE_IMAGE: string } };
}

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const digestOf = (image: string) => `sha256:${createHash('sha256').update(image).digest('hex')}`;

describe('infra/docker/pin-images.sh', () => {
  const { services } = parse(read('docker-compose.yml'), { merge: true }) as { services: Record<string, Service> };
  const foreign = Object.entries(services).filter(([, { image = '' }]) => !image.startsWith('sinebar:'));
  const built = Object.keys(services).filter((name) => services[name]?.build !== undefined);
  let folder: string;

  /** Runs the script with a fake registry program: each image has the digest of its name. */
  const pin = (answer: string, args: string[] = []) => {
    writeFileSync(join(folder, 'docker'), `#!/bin/sh\n${answer}\n`, { mode: 0o755 });
    return spawnSync('bash', [join(folder, 'infra/docker/pin-images.sh'), ...args], {
      encoding: 'utf8',
      env: { ...process.env, PATH: `${folder}:${process.env['PATH']}` },
    });
  };

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'sinebar-pins-'));
    for (const file of FILES) cpSync(join(ROOT, file), join(folder, file), { recursive: true });
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('names an exact version of every image', () => {
    const { stdout } = pin('exit 1', ['--list']);
    const tags = stdout
      .trim()
      .split('\n')
      .map((image) => image.split(':')[1] ?? 'none');
    expect(tags.filter((tag) => !/\d+\.\d+|\d{4}-\d{2}-\d{2}T/.test(tag))).toEqual([]);
  });

  describe('with available registries', () => {
    let pinned: Record<string, Service>;
    beforeAll(() => {
      const { status, stderr } = pin(
        `[ "$1 $2 $3 $5" = "buildx imagetools inspect --format" ] && printf 'sha256:%s' "$(printf %s "$4" | sha256sum | cut -c 1-64)"`,
      );
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
      pinned = (parse(readFileSync(join(folder, 'docker-compose.pinned.yml'), 'utf8')) as { services: Record<string, Service> }).services;
    });

    it.each(foreign)('pins the image of %s and keeps its variable', (name, { image = '' }) => {
      const tagged = image.replace(/\$\{\w+:-([^}]*)\}/, '$1');
      expect(pinned[name]?.image).toBe(image.replace(tagged, `${tagged}@${digestOf(tagged)}`));
    });

    it('builds every image of the product on the pinned one', () => {
      const node = /^ARG NODE_IMAGE=(.*)$/m.exec(read('infra/docker/Dockerfile'))?.[1] ?? '';
      const bases = built.map((name) => pinned[name]?.build?.args?.NODE_IMAGE);
      expect(bases).toEqual(built.map(() => `${node}@${digestOf(node)}`));
    });

    it('writes values with all other images that Kubernetes runs', () => {
      const { images } = parse(readFileSync(join(folder, 'infra/chart/pinned-images.yaml'), 'utf8')) as { images: Record<string, string> };
      const named = (parse(read('infra/chart/values.yaml')) as { images: Record<string, string> }).images;
      expect(images).toEqual(Object.fromEntries(Object.entries(named).map(([name, image]) => [name, `${image}@${digestOf(image)}`])));
      const tagged = new Set(foreign.map(([, { image = '' }]) => image.replace(/\$\{\w+:-([^}]*)\}/, '$1')));
      expect(new Set(Object.values(named))).toEqual(tagged);
    });
  });

  it.each([
    ['no registry answers', 'exit 1', /no registry answers for /],
    ['a registry answers something else', 'echo latest', /gave no digest for .*: latest/],
  ])('ends with a message when %s', (_, answer, sentence) => {
    const { status, stderr } = pin(answer);
    expect(status).toBe(1);
    expect(stderr).toMatch(sentence);
  });
});
