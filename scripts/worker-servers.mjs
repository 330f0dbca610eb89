/** Gives each worker of the acceptance tests its own servers: products on the same NATS share one stream. */
const servers = JSON.parse(process.env.SINEBAR_TEST_SERVERS ?? '[]');
Object.assign(process.env, servers[Number(process.env.JEST_WORKER_ID) - 1]);
