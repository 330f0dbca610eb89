import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTestDatabase, queryOnce, sinebarCommand, type TestDatabase } from '@sinebar/testing';
import { runToEnd } from './product.ts';

const PLANTS = sinebarCommand('plants');
const COMMAND_MS = 180_000;

export interface ClusterNode {
  host: string;
  port: number;
}

/** @returns why no test can end servers of a Citus cluster; `undefined` with one that was started for the tests */
export function whyNoCluster(): string | undefined {
  const missing = ['SINEBAR_TEST_CITUS', 'SINEBAR_TEST_CITUS_START'].find((name) => !process.env[name]);
  return missing && `no ${missing}`;
}

/** A plant in a database of its own on the Citus cluster of the tests, whose servers can be ended and started again. */
export class CitusPlant {
  readonly plant: string;
  readonly databaseUrl: string;
  private readonly database: TestDatabase;
  private readonly env: Readonly<Record<string, string>>;

  private constructor(plant: string, database: TestDatabase, env: Readonly<Record<string, string>>) {
    this.plant = plant;
    this.database = database;
    this.databaseUrl = database.url;
    this.env = { ...env, DATABASE_URL: database.url };
  }

  /** Creates the plant and distributes it. */
  static async create(plant: string, env: Readonly<Record<string, string>>): Promise<CitusPlant> {
    const created = new CitusPlant(plant, await createTestDatabase(), env);
    await created.command('create', plant);
    await created.command('distribute', plant);
    return created;
  }

  /** Runs `npm run sinebar -- plants …`. @throws with its output when it fails */
  async command(...args: string[]): Promise<string> {
    const { code, output } = await runToEnd(PLANTS, this.env, COMMAND_MS, args);
    if (code !== 0) throw new Error(`plants ${args.join(' ')} ended with code ${code}:\n${output}`);
    return output;
  }

  /** Nodes for data, that with the schema first. */
  async nodes(schema: string): Promise<ClusterNode[]> {
    const rows = await queryOnce(
      this.databaseUrl,
      `SELECT nodename AS host, nodeport AS port FROM pg_dist_node WHERE shouldhaveshards
       ORDER BY (nodename, nodeport) = (SELECT nodename, nodeport FROM citus_shards JOIN pg_class ON pg_class.oid = table_name
         WHERE relnamespace = '${schema}'::regnamespace LIMIT 1) DESC`,
    );
    return rows as unknown as ClusterNode[];
  }

  /** Ends a server of the cluster at once, without a shutdown: it recovers when it starts again. */
  async kill(node?: ClusterNode): Promise<void> {
    const url = new URL(this.databaseUrl);
    if (node) {
      url.hostname = node.host;
      url.port = String(node.port);
    }
    const [row] = await queryOnce(url.href, `SELECT current_setting('data_directory') AS folder`);
    process.kill(Number(readFileSync(join(String(row?.['folder']), 'postmaster.pid'), 'utf8').split('\n')[0]), 'SIGQUIT');
  }

  /** Starts the servers that do not run. */
  startAll(): void {
    const [program = '', ...args] = (process.env['SINEBAR_TEST_CITUS_START'] ?? '').split(' ');
    const { status, stderr } = spawnSync(program, args, { encoding: 'utf8', timeout: 60_000, stdio: ['ignore', 'ignore', 'pipe'] });
    if (status !== 0) throw new Error(`the cluster cannot be started again: ${stderr}`);
  }

  remove(): Promise<void> {
    return this.database.drop();
  }
}
