// Text that `npm run dev` prints: URLs, users with their keys, and example requests.

import { relative } from 'node:path';
import { MODES } from '../../agents/index.ts';
import type { ConsoleOperator } from '../sandbox/console-operators.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { agentDialFile } from '../sandbox/sandbox-settings.ts';
import { ccxtExample, publicExample, signedExample } from './example-request.ts';

/** Password of alice and bob in the terminal. Stored again at every start. */
export const USER_PASSWORD = 'rialto-demo-trader';

export interface Described {
  /** True if the terminal and the console are built. */
  readonly hasScreens: boolean;
  readonly operators: readonly ConsoleOperator[];
  readonly mode: 'solo' | 'team';
}

export function describeExchange(sandbox: Sandbox, described: Described): string {
  const { hasScreens, mode, operators } = described;
  const { consoleUrl, folder, inboxUrl, postgres, publicUrl, seeded, streamUrls, url, urls } =
    sandbox;
  const { alice } = seeded.users;
  const users = Object.values(seeded.users).flatMap(({ email, funds, key, secret, user }) => [
    `  ${email} (user ${user}${fundsText(funds)})`,
    // The administrator has the password of the console, below.
    ...(email === seeded.users.admin.email ? [] : [`    password  ${USER_PASSWORD}`]),
    `    key     ${key}`,
    `    secret  ${secret}`,
  ]);
  return [
    '',
    'Rialto is running.',
    '',
    ...(hasScreens ? [`  Terminal       ${publicUrl}/`, `  Console        ${consoleUrl}/`] : []),
    ...urls.map((one) => `  REST           ${one}/v2`),
    ...streamUrls.map((one) => `  WebSocket      ${one}`),
    `  API reference  ${url}/docs`,
    ...(inboxUrl === undefined ? [] : [`  Email inbox    ${inboxUrl}`]),
    `  PostgreSQL     ${postgres.url}`,
    `  Data folder    ${relative(process.cwd(), folder) || folder}`,
    `  Markets        ${[...seeded.markets.keys()].sort().join(', ')}`,
    `  Control mode   ${MODE_TEXTS[mode]}`,
    ...agentLines(sandbox),
    ...chainLines(sandbox),
    '',
    'Test users',
    ...users,
    '',
    ...operatorLines(operators),
    'Read the order book:',
    publicExample({ url }),
    '',
    'Place an order as alice:',
    signedExample({ url, ...alice }),
    '',
    'Or with ccxt, from another terminal in this folder:',
    ccxtExample({ url, ...alice }),
    '',
    'Press Ctrl-C to stop.',
  ].join('\n');
}

const MODE_TEXTS = {
  solo: 'solo: administrators need no approval',
  team: 'team: actions above the thresholds need approval',
} as const;

/** Console accounts and how to get their second factor. */
function operatorLines(operators: readonly ConsoleOperator[]): string[] {
  return [
    'Console operators (use a separate browser profile for each)',
    ...operators.flatMap(({ email, password, role, secret }) => [
      `  ${email} (${role})`,
      `    password              ${password}`,
      `    authenticator secret  ${secret}`,
    ]),
    '  Current codes: npx node tools/dev/codes/main.ts',
    '',
  ];
}

/** How to change the scenario, if simulated traders are active. */
function agentLines({ folder, services }: Sandbox): string[] {
  if (!services.some(({ name }) => name === 'market-agents')) return [];
  const file = relative(process.cwd(), agentDialFile(folder));
  return [
    '',
    'Simulated traders are active in all markets (play money). To change the scenario:',
    `  echo '{"ordersPerSecond": 50, "mode": "flash-crash"}' > ${file}`,
    `  modes: ${MODES.join(', ')}`,
  ];
}

/** How to deposit coins, if there is a local chain. */
function chainLines({ chain }: Sandbox): string[] {
  if (chain === undefined) return [];
  return [
    '',
    `A local Ethereum chain (${chain.url}) credits deposits. To send test coins to the address`,
    'on the deposit page (eth, usdt or rlt):',
    '  npx node tools/dev/faucet/main.ts 100 usdt 0x…',
  ];
}

function fundsText(funds: Readonly<Record<string, string>>): string {
  const parts = Object.entries(funds).map(([symbol, amount]) => `${amount} ${symbol}`);
  return parts.length === 0 ? '' : `, funded with ${parts.join(', ')}`;
}
