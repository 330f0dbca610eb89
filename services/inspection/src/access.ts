import { runAccessCommand } from '@sinebar/authentication/access-command';

/** Runs the command `access` in the image, as `npm run access` does: hashes passwords and explains the access policy. */
process.exitCode = await runAccessCommand(process.argv.slice(2), process.env, {
  input: process.stdin,
  output: (line) => process.stdout.write(`${line}\n`),
  errors: process.stderr,
});
