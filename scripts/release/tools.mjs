import { main } from '../command.mjs';

/** Programs that build, sign and examine a release, as modules of Go; helm is in packages/local-servers. */
const RELEASE_TOOLS = {
  buildkitd: tool('buildkitd', {
    minimum: [0, 20, 0],
    goPackage: 'github.com/moby/buildkit/cmd/buildkitd',
    goVersion: 'v0.34.2',
    hasDirectives: true,
  }),
  buildctl: tool('buildctl', {
    minimum: [0, 20, 0],
    goPackage: 'github.com/moby/buildkit/cmd/buildctl',
    goVersion: 'v0.34.2',
    hasDirectives: true,
  }),
  crane: tool('crane', {
    minimum: [0, 20, 0],
    goPackage: 'github.com/google/go-containerregistry/cmd/crane',
    goVersion: 'v0.22.1',
    versionArgs: ['version'],
  }),
  // Signatures and what they are verified with are one file, a bundle, since version 3.
  cosign: tool('cosign', {
    minimum: [3, 0, 0],
    goPackage: 'github.com/sigstore/cosign/v3/cmd/cosign',
    goVersion: 'v3.1.3',
    versionArgs: ['version'],
  }),
  syft: tool('syft', { minimum: [1, 20, 0], goPackage: 'github.com/anchore/syft/cmd/syft', goVersion: 'v1.57.1' }),
};

function tool(name, source) {
  return { name, ...source };
}

const OPTIONS = { environment: process.env, onProgress: (line) => console.error(line) };

/** Finds a program on the PATH or among those that were built before. @returns {Promise<string | undefined>} its path */
export async function findTool(name) {
  const { findInstalled } = await import('../../packages/local-servers/src/index.ts');
  return findInstalled(RELEASE_TOOLS[name], OPTIONS);
}

/** Runs `node scripts/launch.mjs scripts/release/tools.mjs [names]`: builds with Go what is missing, in 15 minutes on two processors. */
if (process.argv[1] === import.meta.filename) {
  await main(async () => {
    const { findProgram } = await import('../../packages/local-servers/src/index.ts');
    const names = process.argv.slice(2);
    for (const name of names.length > 0 ? names : Object.keys(RELEASE_TOOLS)) console.log(await findProgram(RELEASE_TOOLS[name], OPTIONS));
  });
}
