// `npx node tools/dev/codes/main.ts`: prints the current one-time codes of the operators of `npm
// run dev`. An authenticator app shows the same codes.

import { join, resolve } from 'node:path';
import { totpCode } from '../../../features/auth/index.ts';
import { EXIT_OK, runTool, ToolFault } from '../../command-line.ts';
import { readOperators } from '../../sandbox/console-operators.ts';

await runTool({
  usage: `Usage: npx node tools/dev/codes/main.ts [--folder F]

Prints the current one-time code of each operator of npm run dev.

  --folder F   where npm run dev stores its data (default .rialto)`,
  options: { folder: { type: 'string', default: join(import.meta.dirname, '../../../.rialto') } },
  async run({ values }) {
    const folder = resolve(values.folder);
    const operators = readOperators(folder);
    if (operators.length === 0)
      throw new ToolFault(`${folder} has no operators. Run \`npm run dev\` first.`);
    for (const { email, secret } of operators) {
      console.log(`${totpCode(secret, Date.now())}  ${email}`);
    }
    return EXIT_OK;
  },
});
