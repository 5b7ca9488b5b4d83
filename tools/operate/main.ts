// Deposit addresses, policy, referral, payment details, announcements, support and the audit, for
// operators: `npx node tools/operate/main.ts COMMAND`.

import { registrySettings } from '../../domain/migrations/index.ts';
import { accessSettings, openVault } from '../../domain/vault/index.ts';
import { openPool, postgresAddress, postgresSettings } from '../../infra/postgres/index.ts';
import { createLogger, oneOf, readConfig, systemClock } from '../../infra/process/index.ts';
import { EXIT_OK, runTool } from '../command-line.ts';
import { executeOperate, OPERATE_OPTIONS, OPERATE_USAGE } from './execute-operate.ts';

const settings = {
  ...postgresSettings,
  ...registrySettings,
  ...accessSettings,
  mode: oneOf('RIALTO_MODE', ['production', 'development'], 'production'),
};

await runTool({
  usage: OPERATE_USAGE,
  options: OPERATE_OPTIONS,
  takesPositionals: true,
  async run({ positionals, values }) {
    // The environment may contain all settings of a service; the tool ignores the others.
    const names = Object.values(settings).map(({ name }) => name);
    const known = Object.entries(process.env).filter(([name]) => names.includes(name));
    const config = readConfig(Object.fromEntries(known), settings);
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
