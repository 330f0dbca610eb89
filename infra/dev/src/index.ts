export * from './backing-services.js';
export { chooseFreePort } from './ports.js';
export { startServer, type RunningServer, type ServerCommand } from './server-process.js';
export { openRunFolder, type RunFolder } from './run-folder.js';
export { startNatsCluster, type NatsCluster } from './nats-cluster.js';
export { interruption } from './interruption.js';
