// The documents that are made from the protocol: the OpenAPI and the AsyncAPI document, the
// page of errors and the page of weights. Pure: who calls it writes or compares.

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

/** Paths from the root, with what they should hold. */
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

const GENERATED = 'This page is made from the protocol by `npx node tools/openapi/main.ts`.';

function errorsPage(): string {
  const rows = Object.entries(errors)
    .sort(([, a], [, b]) => a.code - b.code)
    .map(([key, { code, status, text }]) => `| ${code} | ${status} | \`${key}\` | ${text} |`);
  return `# Errors

${GENERATED}

Every refusal is answered with a status and a body:

\`\`\`json
{ "message": "Order not found", "lang": "en", "code": 10 }
\`\`\`

A code means the same for ever; programs should decide by it. Codes below 2000 are those that \
clients of this interface know already. Whoever signs with a key gets English texts, which some \
clients match; a session gets its user's language, and \`lang\` says which. \`{name}\` stands for \
what differs from case to case.

What to do about a status:

| Status | Means | Do |
|---|---|---|
| 400 | the request is not as described, or was refused | change it |
| 401 | we do not know who asks | sign again, look at the clock |
| 403 | the key or role does not permit it | use another key |
| 404, 405 | no such thing, no such call | look at the path |
| 413 | the body is too large | send less |
| 429 | too much was asked for | wait for \`retry-after\` |
| 500 | our mistake | try later; tell us |
| 503 | certainly not carried out | wait for \`retry-after\`, send it again |
| 504 | it may have been carried out | ask before you send it again |

After a 504, ask \`GET /v2/order?client_order_id=\`. An order that carries a client order id may \
simply be sent again: the exchange takes it once.

| Code | Status | Name | Message |
|---|---|---|---|
${rows.join('\n')}
`;
}

function rateLimitsPage(): string {
  const rows = Object.values<Route>(routes)
    .sort((a, b) => (a.path === b.path ? 0 : a.path < b.path ? -1 : 1))
    .map((route) => {
      const { csv, method, path, weight } = route;
      const cost = csv === true ? `${weight} (${WEIGHT_FILE})` : weight;
      return `| ${method} | \`${path}\` | ${cost} | ${budgetOf(route)} |`;
    });
  return `# Rate limits

${GENERATED}

Each call has a weight, taken from a budget that refills with time. There are three kinds of budget:

| Budget | Whose | For |
|---|---|---|
| address | the address that calls | calls without credentials, and wrong signatures |
| user | the user; all keys and sessions share it | everything that is signed, except cancels |
| cancel | the user | cancelling orders: it is much larger, so that risk can be taken away when \
the other is used up |

How large they are is the operator's choice; every answer says it:

| Header | Means |
|---|---|
| \`ratelimit-limit\` | what the budget holds when it is full |
| \`ratelimit-remaining\` | what is left of it |
| \`ratelimit-reset\` | seconds until it is full again |
| \`retry-after\` | with 429 and 503: seconds until it is worth trying again |

A refused call is answered with 429 and code ${errors.rate_limit_exceeded.code}. A batch costs \
one for each of its orders. Where a second number stands in brackets, it is what \`format=csv\` \
and \`format=all\` cost.

The weights follow the work: 1 for what is answered from memory and for a single command, 2 for a \
few rows, 5 for a page of a list, 10 for the candles of every market and for what moves money in \
or out, 20 for files.

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

${missing.size} texts fall back to English:

| Name | Missing in | English text |
|---|---|---|
${rows.join('\n')}
`;
}

/** Promised errors stay as they are; new ones are appended. */
function promisedErrors(): string {
  const path = join(root, GOLDEN_ERRORS_PATH);
  const promised = JSON.parse(readFileSync(path, 'utf8')) as Record<string, object>;
  for (const [key, { code, text }] of Object.entries(errors)) promised[key] ??= { code, text };
  return `${JSON.stringify(promised, null, 2)}\n`;
}
