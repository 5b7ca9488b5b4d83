// `npx node tools/dev/faucet/main.ts`: sends test coins on the local chain of `npm run dev`.

import { join, resolve } from 'node:path';
import { describeFault } from '../../../infra/process/index.ts';
import { EXIT_OK, runTool, ToolFault, UsageFault } from '../../command-line.ts';
import { readChainFacts, sendTestCoins } from '../../sandbox/local-chain.ts';

await runTool({
  usage: `Usage: npx node tools/dev/faucet/main.ts AMOUNT COIN ADDRESS [--folder F]

Sends test coins on the local chain of npm run dev, for example to the address on
the deposit page. The deposit is credited when it is final, after about 6 seconds.

  AMOUNT       for example 100
  COIN         eth, usdt or rlt
  ADDRESS      0x and 40 digits
  --folder F   where npm run dev stores its data (default .rialto)`,
  options: { folder: { type: 'string', default: join(import.meta.dirname, '../../../.rialto') } },
  takesPositionals: true,
  async run({ positionals, values }) {
    const [amount, symbol, address, ...others] = positionals;
    if (address === undefined || others.length > 0) {
      throw new UsageFault('Expected AMOUNT COIN ADDRESS.');
    }
    const folder = resolve(values.folder);
    const chain = readChainFacts(folder);
    if (chain === undefined) {
      throw new ToolFault(`${folder} has no local chain. Run \`npm run dev\` first.`);
    }
    try {
      const coins = { amount, symbol: symbol.toLowerCase(), address };
      console.log(`transaction ${await sendTestCoins(chain, coins)}`);
      return EXIT_OK;
    } catch (fault) {
      throw new ToolFault(describeFault(fault));
    }
  },
});
