// Generates the API documents and pages from the protocol: OpenAPI, AsyncAPI, errors, rate limits,
// translations. Pure: the caller writes or compares.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  asyncApiDocument,
  errors,
  missingTranslations,
  openApiDocument,
  type Route,
  routes,
  translations,
  WEIGHT_FILE,
} from '../../protocol/index.ts';

const root = join(import.meta.dirname, '../..');

export const OPENAPI_PATH = 'protocol/openapi.json';
export const ASYNCAPI_PATH = 'protocol/asyncapi.json';
export const GOLDEN_ERRORS_PATH = 'protocol/golden/errors.json';

/** Returns paths from the repository root with their content. */
export function apiPages(): [path: string, text: string][] {
  return [
    ['docs/api/errors.md', errorsPage()],
    ['docs/api/rate-limits.md', rateLimitsPage()],
    ['docs/api/translations.md', translationsPage()],
    [GOLDEN_ERRORS_PATH, promisedErrors()],
  ];
}

export function apiDocument(): Record<string, unknown> {
  return openApiDocument(version());
}

export function streamDocument(): Record<string, unknown> {
  return asyncApiDocument(version());
}

function version(): string {
  const manifest = readFileSync(join(root, 'package.json'), 'utf8');
  return (JSON.parse(manifest) as { version: string }).version;
}

const GENERATED = 'This page is generated from the protocol by `npm run fix`.';

function errorsPage(): string {
  const rows = Object.entries(errors)
    .sort(([, a], [, b]) => a.code - b.code)
    .map(([key, { code, status, text }]) => `| ${code} | ${status} | \`${key}\` | ${text} |`);
  return `# Errors

${GENERATED}

Every error has a status and a body:

\`\`\`json
{ "message": "Order not found", "lang": "en", "code": 10 }
\`\`\`

A code never changes its meaning: use it in programs. Existing clients of this interface know the \
codes below 2000. Requests with an API key get English texts, which some clients match. Sessions \
get the user's language, given in \`lang\`. \`{name}\` is a placeholder.

| Status | Meaning | Action |
|---|---|---|
| 400 | the request is invalid or was rejected | change it |
| 401 | authentication failed | sign again, check the clock |
| 403 | the key or role lacks the permission | use another key |
| 404, 405 | not found, or method not allowed | check the path |
| 409 | pending approval, or already sent | do not retry |
| 413 | the body is too large | send less |
| 429 | rate limit exceeded | retry after \`retry-after\` seconds |
| 500 | a bug in the exchange | retry later; report it |
| 503 | not executed | retry after \`retry-after\` seconds |
| 504 | it may have been executed | check before you retry |

After a 504, read \`GET /v2/order?client_order_id=\`. An order with a client order id is safe to \
send again, because the exchange places it only once. The exchange remembers the id while the \
order is open and for at least ten minutes after it closes, for your last 8,192 closed orders with \
ids (exact rule: [trading rules](../trading-rules.md), section 3).

| Code | Status | Name | Message |
|---|---|---|---|
${rows.join('\n')}
`;
}

function rateLimitsPage(): string {
  const rows = Object.values<Route>(routes)
    .sort((a, b) => (a.path === b.path ? 0 : a.path < b.path ? -1 : 1))
    .map((route) => {
      const { csv, isFile, method, path, weight } = route;
      const listCost = csv === true ? `${weight} (${WEIGHT_FILE})` : weight;
      const cost = isFile === true ? WEIGHT_FILE : listCost;
      return `| ${method} | \`${path}\` | ${cost} | ${budgetOf(route)} |`;
    });
  return `# Rate limits

${GENERATED}

Each request has a weight, which is deducted from a budget. Budgets refill over time. There are \
four:

| Budget | Per | For |
|---|---|---|
| address | IP address, or IPv6 /64 network | requests without credentials |
| user | user; shared by all keys and sessions | authenticated requests, except cancels |
| cancel | user | canceling orders; much larger, so you can cancel orders when the user budget is \
exhausted |
| failure | IP address; for an existing key, the address and the key | wrong signatures, keys and \
tokens. When it is exhausted, requests get 429 before their body is read |

Default sizes:

| Budget | Size | Refill per second |
|---|---|---|
| address | 200 | 20 |
| user | 500 | 100 |
| cancel | 2,000 | 500 |

So a user can place 100 orders per second continuously, with bursts of 500. A wrong signature \
costs its address 5. Operators can set other sizes; every response reports them:

| Header | Meaning |
|---|---|
| \`ratelimit-limit\` | size of the budget |
| \`ratelimit-remaining\` | remaining budget |
| \`ratelimit-reset\` | seconds until the budget is full |
| \`retry-after\` | with 429 and 503: seconds to wait before you retry |

By default, an address can have at most 256 connections and 256 requests in flight. Further \
connections are closed; further requests get 429. A user can read one page of a list at a time: up \
to eight more requests are queued, the rest get 429. A full list (\`format=csv\`, \`format=all\`) \
must be read at 32 kB/s or faster. A client that is slower for more than five seconds is \
disconnected and cannot read full lists for a minute.

A request that exceeds its budget gets 429 with code ${errors.rate_limit_exceeded.code}. A batch \
costs one per order. A number in parentheses is the weight with \`format=csv\` or \`format=all\`.

Weights reflect the cost: 1 for responses from memory and single commands, 2 for a few rows, 5 for \
a page of a list, 10 for candles of all markets and for deposits and withdrawals, 20 for files.

| Method | Path | Weight | Budget |
|---|---|---|---|
${rows.join('\n')}
`;
}

function budgetOf({ effect, permission }: Route): string {
  if (permission.who === 'anyone') {
    return permission.mayIdentify === true ? 'address, or user if signed' : 'address';
  }
  return effect === 'cancel' ? 'cancel' : 'user';
}

function translationsPage(): string {
  const languages = Object.keys(translations);
  const missing = new Map<string, string[]>();
  for (const language of languages) {
    for (const key of missingTranslations(language, errors)) {
      missing.set(key, [...(missing.get(key) ?? []), language]);
    }
  }
  const rows = [...missing].map(([key, lacking]) => {
    const where = lacking.length === languages.length ? 'all' : lacking.join(', ');
    return `| \`${key}\` | ${where} | ${errors[key as keyof typeof errors].text} |`;
  });
  return `# Translations

${GENERATED}

Sessions get error messages in the user's language. \`protocol/languages\` has one JSON file per \
language (${languages.map((name) => `\`${name}\``).join(', ')}) with texts by error name. \
English is the fallback. The \`lang\` field of the response gives the language of the message.

To translate a text, add its key to the language's file, with the same \`{name}\` placeholders as \
the English text. Texts that only programs or operators see are not translated.

${rows.length === 0 ? 'All texts are translated.' : missingTable(rows)}
`;
}

function missingTable(rows: readonly string[]): string {
  return `${rows.length} texts fall back to English:

| Name | Missing in | English text |
|---|---|---|
${rows.join('\n')}`;
}

/** Promised errors must not change; new ones are appended. */
function promisedErrors(): string {
  const path = join(root, GOLDEN_ERRORS_PATH);
  const promised = JSON.parse(readFileSync(path, 'utf8')) as Record<string, object>;
  for (const [key, { code, text }] of Object.entries(errors)) promised[key] ??= { code, text };
  return `${JSON.stringify(promised, null, 2)}\n`;
}
