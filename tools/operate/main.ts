// `rialto operate COMMAND`: deposit addresses, policy, referral, payment details, support and the
// audit, for operators, directly on the database.

import { EXIT_OK, runTool } from '../command-line.ts';
import { withRegistry } from '../registry-tool.ts';
import { executeOperate, OPERATE_OPTIONS, OPERATE_USAGE } from './execute-operate.ts';

await runTool({
  usage: OPERATE_USAGE,
  options: OPERATE_OPTIONS,
  takesPositionals: true,
  run: ({ positionals, values }) =>
    withRegistry('operate', async ({ config, openVault, pool }) => {
      const context = { pool, projectionSchema: config.postgresSchema, openVault };
      const lines = await executeOperate(positionals.join(' '), values, context);
      for (const line of lines) console.log(line);
      return EXIT_OK;
    }),
});
