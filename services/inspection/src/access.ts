import { runAccessCommand } from '@sinebar/authentication';

/** `npm run access`: hashes of passwords, and questions about the access policy. */
process.exitCode = await runAccessCommand(process.argv.slice(2), process.env, {
  input: process.stdin,
  output: (line) => process.stdout.write(`${line}\n`),
  errors: process.stderr,
});
