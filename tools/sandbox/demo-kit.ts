// Sets up a demo exchange like its operator would: the bank account for deposits, the support
// address, and the faucet of play money. For demo exchanges only: the bank account does not exist.

import { atomsFromDecimal } from '../../core/money/index.ts';
import { createUser, findUserByEmail } from '../../features/accounts/index.ts';
import { describeKit } from '../../features/listings/index.ts';
import { exactly } from './listing-commands.ts';
import type { SandboxAdmin, SeededAsset } from './sandbox-admin.ts';

const DEMO_KIT = {
  links: { helpdesk: 'mailto:support@example.com' },
  onramp: {
    eur: {
      bank: {
        type: 'manual',
        data: [
          { key: 'account_holder', label: 'Account holder', value: 'Rialto Demo Exchange' },
          { key: 'iban', label: 'IBAN', value: 'DE02 1203 0000 0000 2020 51' },
          { key: 'bic', label: 'BIC', value: 'BYLADEM1001' },
          { key: 'bank', label: 'Bank', value: 'Demo Bank' },
        ],
      },
    },
  },
};

/** For each user and 24 hours. */
const PLAY_MONEY = { usdt: '10000', btc: '0.1', eth: '2', eur: '5000', rlt: '2000' };
/** How many users the faucet has money for. */
const PLAY_USERS = 10_000n;

/** Safe to run again on the same data. */
export async function setUpDemo(
  admin: SandboxAdmin,
  assets: ReadonlyMap<string, SeededAsset>,
): Promise<void> {
  const { registry } = admin;
  const email = 'faucet@example.com';
  const faucet =
    (await findUserByEmail(registry, email)) ?? (await createUser(registry, { email }));
  if (typeof faucet === 'string') throw new Error(`no user ${email}: ${faucet}`);
  const user = faucet.id;
  for (const [symbol, amount] of Object.entries(PLAY_MONEY)) {
    const asset = assets.get(symbol);
    if (asset === undefined) continue;
    const gift = exactly(atomsFromDecimal(amount, asset.scale));
    const amountAtoms = (gift * PLAY_USERS) as typeof gift;
    await admin.credit({ user, asset, amountAtoms, transactionId: `faucet-${symbol}` });
  }
  const play_money = { account_id: user, amounts: PLAY_MONEY };
  await describeKit(registry, { ...DEMO_KIT, play_money });
}
