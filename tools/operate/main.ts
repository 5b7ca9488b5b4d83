// Deposit addresses, policy, referral, payment details, support and the audit, for operators, on
// the database: `rialto operate COMMAND`.

import { openPool, postgresAddress } from '../../infra/postgres/index.ts';
import { createLogger, systemClock } from '../../infra/process/index.ts';
import { readToolConfig } from '../../infra/settings/index.ts';
import { openVault } from '../../platform/vault/index.ts';
import { DATABASE_KEYS, EXIT_OK, runTool } from '../command-line.ts';
import { executeOperate, OPERATE_OPTIONS, OPERATE_USAGE } from './execute-operate.ts';

await runTool({
  usage: OPERATE_USAGE,
  options: OPERATE_OPTIONS,
  takesPositionals: true,
  async run({ positionals, values }) {
    const config = readToolConfig(process.env, DATABASE_KEYS);
    const pool = openPool({
      ...postgresAddress(config, config.mode),
      schema: config.registrySchema,
      name: 'operate',
      connectionsMax: 1,
      statementTimeoutMs: config.postgresStatementTimeoutMs,
    });
    const log = createLogger({ service: 'operate', instance: 'operate', level: 'warn' });
    try {
      const lines = await executeOperate(positionals.join(' '), values, {
        pool,
        projectionSchema: config.postgresSchema,
        async openVault() {
          const opened = await openVault({ config, registry: pool, clock: systemClock, log });
          opened.stop();
          return opened.vault;
        },
      });
      for (const line of lines) console.log(line);
      return EXIT_OK;
    } finally {
      await pool.end();
    }
  },
});
