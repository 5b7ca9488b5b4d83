// The text that `npm run dev` prints: URLs, users with their keys, and example requests.

import { relative } from 'node:path';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { publicExample, signedExample } from './example-request.ts';

export function describeExchange(sandbox: Sandbox): string {
  const { folder, inboxUrl, postgres, seeded, streamUrls, url, urls } = sandbox;
  const { alice } = seeded.users;
  const users = Object.values(seeded.users).flatMap(({ email, funds, key, secret, user }) => [
    `  ${email} (user ${user}${fundsText(funds)})`,
    `    key     ${key}`,
    `    secret  ${secret}`,
  ]);
  return [
    '',
    'Rialto is running.',
    '',
    ...urls.map((one) => `  REST        ${one}/v2`),
    ...streamUrls.map((one) => `  Stream      ${one}`),
    `  Reference   ${url}/docs`,
    ...(inboxUrl === undefined ? [] : [`  Mail inbox  ${inboxUrl}`]),
    `  PostgreSQL  ${postgres.url}`,
    `  Data        ${relative(process.cwd(), folder) || folder}`,
    `  Markets     ${[...seeded.markets.keys()].join(', ')}`,
    '',
    'Users',
    ...users,
    '',
    'Read the order book:',
    publicExample({ url }),
    '',
    'Place an order as alice:',
    signedExample({ url, ...alice }),
    '',
    'Ctrl-C stops everything.',
  ].join('\n');
}

function fundsText(funds: Readonly<Record<string, string>>): string {
  const parts = Object.entries(funds).map(([symbol, amount]) => `${amount} ${symbol}`);
  return parts.length === 0 ? '' : `, started with ${parts.join(', ')}`;
}
