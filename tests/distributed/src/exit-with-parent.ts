/**
 * Loaded before a service's own code (`node --import`): stops the service in order when its parent process has ended, even by SIGKILL.
 * Otherwise the service would keep running and hold its port and leases.
 */
process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));
// The connection alone must not keep an otherwise finished service alive.
process.channel?.unref();
