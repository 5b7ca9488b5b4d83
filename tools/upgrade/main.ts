// `rialto upgrade check`: run it from the new release's folder before the upgrade.

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseEnv } from 'node:util';
import type { OwnConnection } from '../../infra/postgres/index.ts';
import { ConfigFault, describeFault } from '../../infra/process/index.ts';
import { openReplaySource, replayTo, startReplica } from '../../infra/replica/index.ts';
import { PRODUCTION_SERVICES, readServiceConfig } from '../../infra/settings/index.ts';
import type { Finding } from '../cli/finding.ts';
import { EXIT_FAILED, EXIT_OK, runTool, serviceEnvironment, UsageFault } from '../command-line.ts';
import { withRegistryConnection } from '../registry-tool.ts';
import { tableLines } from '../text-table.ts';
import { type AppliedMigration, checkUpgrade, type ExchangeFacts } from './check-upgrade.ts';
import { readRelease } from './release-facts.ts';

const STATEMENT_TIMEOUT_MS = 60_000;
const THIS_RELEASE = resolve(import.meta.dirname, '../..');
const MARKS = { good: 'ok', warning: 'warn', bad: 'FAIL' } as const;

type Environment = Readonly<Record<string, string | undefined>>;

await runTool({
  usage: `Usage: rialto upgrade check --old FOLDER --archive FOLDER [--env FILE]...

Shows what this release will change in a running exchange. Makes no changes. Run
it from the folder of the new release. The last line is one JSON object. The exit
code is 1 if the upgrade would fail.

  check         check migrations, layouts, rules, snapshots, settings, web apps, and
                whether you can downgrade afterwards

  --old F       folder of the running release
  --archive F   a copy of the archive, with its snapshots
  --env F       settings files of the services (default: the environment
                variables)

Environment variables: those of migrate.`,
  takesPositionals: true,
  options: {
    old: { type: 'string' },
    archive: { type: 'string' },
    env: { type: 'string', multiple: true },
  },
  async run({ positionals: [name, ...others], values: { archive, env = [], old } }) {
    if (name !== 'check' || others.length > 0) throw new UsageFault("Expected 'check'.");
    if (old === undefined) throw new UsageFault('--old is required.');
    if (archive === undefined) throw new UsageFault('--archive is required.');
    const environment: Environment = Object.assign(
      { ...serviceEnvironment() },
      ...env.map((file) => parseEnv(readFileSync(file, 'utf8'))),
    );
    const [before, after] = [await readRelease(old), await readRelease(THIS_RELEASE)];
    const exchange = {
      ...(await readMigrated(environment)),
      log: await continueLog(archive),
      refusedSettings: refusedSettings(environment),
    };
    return show(checkUpgrade(before, after, exchange));
  },
});

function show(findings: readonly Finding[]): number {
  const rows = findings.flatMap(({ check, detail, more = [], state }) => [
    [MARKS[state], check, detail],
    ...more.map((line) => ['', '', line]),
  ]);
  const columns = ['', 'check', 'finding'].map((title) => ({ title }));
  for (const line of tableLines(columns, rows)) console.log(line);
  const count = (state: Finding['state']) => findings.filter((one) => one.state === state).length;
  const [bad, warnings] = [count('bad'), count('warning')];
  console.log(JSON.stringify({ checks: findings.length, bad, warnings }));
  return bad === 0 ? EXIT_OK : EXIT_FAILED;
}

function readMigrated(environment: Environment) {
  const limits = { name: 'upgrade-check', statementTimeoutMs: STATEMENT_TIMEOUT_MS };
  return withRegistryConnection(
    limits,
    async (connection, { postgresSchema, registrySchema }) => ({
      registry: await applied(connection, registrySchema),
      projection: await applied(connection, postgresSchema),
    }),
    environment,
  );
}

async function applied(connection: OwnConnection, schema: string): Promise<AppliedMigration[]> {
  const { rows } = await connection.query(
    `select number::integer as number, checksum from ${schema}.migrations order by 1`,
  );
  return rows as AppliedMigration[];
}

/** Replays from the newest snapshot to the end of the archive, with this release's engine. */
async function continueLog(folder: string): Promise<ExchangeFacts['log']> {
  try {
    const problems: unknown[] = [];
    const source = await openReplaySource(folder, (problem) => problems.push(problem));
    const end = source.archive.end.sequence;
    const replica = await startReplica(source, end);
    const snapshot = replica.sequence === 0 ? undefined : replica.sequence;
    if (problems.length > 0) return { fault: describeFault(problems[0]) };
    await replayTo(source.archive, replica, end);
    return { frame: replica.sequence, snapshot, rules: replica.exchange.rulesVersion };
  } catch (fault) {
    return { fault: describeFault(fault) };
  }
}

function refusedSettings(environment: Environment): Record<string, string[]> {
  return Object.fromEntries(
    PRODUCTION_SERVICES.map((service) => {
      try {
        readServiceConfig(service, environment);
        return [service, []];
      } catch (fault) {
        if (!(fault instanceof ConfigFault)) throw fault;
        return [service, fault.problems.map(({ name, problem }) => `${name} ${problem}`)];
      }
    }),
  );
}
