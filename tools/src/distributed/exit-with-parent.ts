/**
 * Loaded before a service's own code (`node --import`): ends the service in order when the process that started it is gone, also when that was
 * killed and could not say so. Without it the service would go on, hold its port and its leases.
 */
process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));
// The connection alone must not keep a service alive that has nothing left to do.
process.channel?.unref();
