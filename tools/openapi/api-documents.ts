// Generates the API documents and pages from the protocol: OpenAPI, AsyncAPI, errors, rate limits,
// translations. Pure; the caller writes or compares.

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

/** Paths from the repository root with their content. */
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

A code never changes its meaning; programs should use it. Codes below 2000 are those that existing \
clients of this interface know. Callers with a key get English texts, which some clients match; \
sessions get their user's language, which \`lang\` names. \`{name}\` is a placeholder.

What to do:

| Status | Means | Do |
|---|---|---|
| 400 | the request is invalid or was rejected | change it |
| 401 | authentication failed | sign again, check the clock |
| 403 | the key or role does not permit it | use another key |
| 404, 405 | not found, or method not allowed | check the path |
| 409 | pending approval, or already sent | do not repeat it |
| 413 | the body is too large | send less |
| 429 | rate limit exceeded | wait for \`retry-after\` |
| 500 | a bug in the exchange | retry later; report it |
| 503 | certainly not executed | wait for \`retry-after\`, retry |
| 504 | it may have been executed | check before you retry |

After a 504, read \`GET /v2/order?client_order_id=\`. An order with a client order id can \
simply be \
sent again: the exchange places it once. It remembers the id while the order is open and for at \
least ten minutes after it closed, for your last 8,192 closed orders with ids (the exact rule: \
[trading rules](../trading-rules.md), section 3).

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

Each call has a weight, which is deducted from a budget that refills over time. There are four \
budgets:

| Budget | Per | For |
|---|---|---|
| address | IP address; an IPv6 network of 64 bits | calls without credentials |
| user | user; shared by all keys and sessions | authenticated calls, except cancels |
| cancel | user | cancelling orders; much larger, so that orders can be cancelled when the user \
budget is exhausted |
| failure | IP address; of a key that exists, the address and the key | wrong signatures, keys and \
tokens. When it is exhausted, a request is answered with 429 before its body is read |

By default a budget holds and refills:

| Budget | Holds | Refills a second |
|---|---|---|
| address | 200 | 20 |
| user | 500 | 100 |
| cancel | 2,000 | 500 |

So one user places 100 orders a second for as long as they like, and 500 at once. A wrong \
signature costs its address 5. The operator may set other sizes; every response reports them:

| Header | Means |
|---|---|
| \`ratelimit-limit\` | the size of the budget |
| \`ratelimit-remaining\` | what remains |
| \`ratelimit-reset\` | seconds until it is full |
| \`retry-after\` | with 429 and 503: seconds until a retry makes sense |

An address also has at most 256 connections and 256 requests in flight, unless the operator set \
other limits; a connection beyond is closed, a request beyond is answered with 429. A user reads \
one page of a list at a time: up to eight further calls wait, others are answered with 429. A \
whole list (\`format=csv\`, \`format=all\`) must be taken at 32 kB a second at least; a client \
that is slower for more than five seconds is disconnected and gets no whole list for a minute.

A call that exceeds its budget is answered with 429 and code \
${errors.rate_limit_exceeded.code}. A batch costs \
one for each of its orders. A second number in brackets is the weight of \`format=csv\` and \
\`format=all\`.

The weights follow the work: 1 for answers from memory and for a single command, 2 for a few rows, \
5 for a page of a list, 10 for the candles of every market and for deposits and withdrawals, 20 \
for \
files.

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

Sessions get error messages in the language of their user. \`protocol/languages\` has one JSON \
file per language (${languages.map((name) => `\`${name}\``).join(', ')}) with texts by error name. \
English is the fallback; the field \`lang\` of the answer names the language of the message.

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

/** Promised errors stay as they are; new ones are appended. */
function promisedErrors(): string {
  const path = join(root, GOLDEN_ERRORS_PATH);
  const promised = JSON.parse(readFileSync(path, 'utf8')) as Record<string, object>;
  for (const [key, { code, text }] of Object.entries(errors)) promised[key] ??= { code, text };
  return `${JSON.stringify(promised, null, 2)}\n`;
}
