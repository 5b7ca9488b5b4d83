// Rejects phrases that read as translated, and British spelling, in comments, texts and documents.
// Checks only the places in `clean`. The list only grows: clean a folder, then add it here. When
// every folder is listed, delete the list, and the rule covers the entire repository.

import { blanked, proseOf } from './plain-words.ts';
import { isGenerated, isTypeScript, lineAt, type Rule, type SourceFile } from './source-file.ts';

/** Folders (ending in a slash) and files without a violation. A folder replaces its files. */
export const clean: readonly string[] = [
  '.github/',
  'ARCHITECTURE.md',
  'CHANGELOG.md',
  'CODE_OF_CONDUCT.md',
  'CONTRIBUTING.md',
  'README.md',
  'RELEASING.md',
  'SECURITY.md',
  'STYLE.md',
  'apps/README.md',
  'deploy/README.md',
  'testing/scenarios/README.md',
  'testing/screens/README.md',
  'testing/simulator/README.md',
  'tools/sandbox/README.md',
  'agents/',
  'client/',
  'core/',
  'features/accounts/http/',
  'features/approvals/http/',
  'features/audit/api/',
  'features/audit/http/',
  'features/auth/http/',
  'features/health/http/',
  'features/kill-switches/http/',
  'features/listings/http/',
  'features/messages/announcements/',
  'features/messages/http/',
  'features/payments/http/',
  'features/pii-access/http/',
  'features/portfolio/api/',
  'features/portfolio/http/',
  'features/reconciliation/api/',
  'features/reconciliation/http/',
  'features/referral/http/',
  'features/staking/http/',
  'features/sub-accounts/http/',
  'features/surveillance/http/',
  'features/trading/admin/',
  'infra/',
  'platform/',
  'protocol/',
  'services/',
  'tools/codec/',
  'tools/common-passwords/',
  'tools/create-log/',
  'tools/mail/',
  'tools/move-log/',
  'tools/openapi/',
  'tools/read-frame/',
  'tools/replay/',
  'tools/screens/',
  'tools/start/',
  'tools/test/',
  'tools/upgrade/',
  'tools/bench/cold-start/',
  'tools/bench/core/',
  'tools/bench/exchange/',
  'tools/bench/http/',
  'tools/bench/journal/',
  'tools/bench/logins/offerer/',
  'tools/bench/projector/',
  'tools/bench/regress/',
  'tools/bench/websocket/',
  'tools/sandbox/crashing/',
  'docs/abuse-suite.md',
  'docs/api/README.md',
  'docs/api/accounts.md',
  'docs/api/address-book.md',
  'docs/api/api-keys.md',
  'docs/api/compatibility.md',
  'docs/api/fiat.md',
  'docs/api/first-steps.md',
  'docs/api/levels.md',
  'docs/api/market-data.md',
  'docs/api/orders.md',
  'docs/api/referral.md',
  'docs/api/second-factors.md',
  'docs/api/signing.md',
  'docs/api/staking.md',
  'docs/api/statistics.md',
  'docs/api/stream.md',
  'docs/api/sub-accounts.md',
  'docs/api/withdrawals.md',
  'docs/comparison.md',
  'docs/decisions/',
  'docs/glossary.md',
  'docs/tour.md',
  'docs/trading-rules.md',
  'docs/versioning.md',
];

const phrases: readonly { pattern: RegExp; message: string }[] = [
  { pattern: /^\s*(?:\/\*\*|\/\/|\*) Of /gm, message: "name the noun before 'of'" },
  {
    pattern: /\b(?:at|of the) present\b|\bpresent (?:password|one|terms|value|reference)\b/gi,
    message: "write 'now' or 'current'",
  },
  {
    pattern: /(?<!\bthere )\b(?:is|are|was|were|be) no (?!longer\b|more\b|less\b)[a-z]+/gi,
    message: "write 'is not a'",
  },
  {
    pattern: /\balso (?:if|without|for|after|across|against)\b/gi,
    message: "write 'even' or 'including'",
  },
  { pattern: /\bfor (?:ever|good)\b/gi, message: "write 'permanently'" },
  { pattern: /\bof (?:its|their|your|our) own\b/gi, message: "write 'its own' or 'separate'" },
  {
    pattern: /\bis away\b|\bstands still\b/gi,
    message: "write 'is unreachable' or 'is stalled'",
  },
  { pattern: /\bdata (?:are|have|were)\b/gi, message: "write 'data is'" },
  {
    pattern:
      /\b(?:colour|behaviour|licence|favourite|neighbour|judgement|acknowledgement|e-mail)/gi,
    message: 'US spelling',
  },
  {
    pattern: /\b(?:(?:centre|catalogue|programme)s?|cancell(?:ed|ing))\b/gi,
    message: 'US spelling',
  },
  {
    pattern:
      /\b(?:recogn|synchron|organ|normal|serial|author|initial|optim|summar)is(?:e|ing|ation)/gi,
    message: 'US spelling',
  },
  { pattern: /\d (?:%|h)(?=\W)/g, message: "no space: '20%', '24h'" },
  {
    pattern: /\bwhole (?:ids?|values?|exchanges?|pass|lists?|log)\b/gi,
    message: "write 'exact', 'entire' or 'full'",
  },
  { pattern: /\b(?:so|as) long as this\b|\bin turn\b|\banew\b/gi, message: 'use a plainer word' },
  { pattern: /\bat once\b/gi, message: "write 'immediately' or 'at the same time'" },
  { pattern: /\bfrom (?:then|now|here|there) on\b/gi, message: "write 'after that'" },
  { pattern: /\bby itself\b/gi, message: "write 'automatically' or 'alone'" },
  { pattern: /\b(?:no|some|every)body\b/gi, message: 'name the actor' },
  { pattern: /\bbesides?\b/gi, message: "write 'next to' or 'in addition to'" },
  { pattern: /\bso that\b/gi, message: "write 'so' or 'to'" },
  {
    pattern: /\b(?:thus|hence|nevertheless|beforehand|suffices)\b/gi,
    message: 'use a plainer word',
  },
  { pattern: /\bunder way\b/gi, message: "write 'in progress'" },
  { pattern: /\bset-up\b/gi, message: "write 'setup'" },
  { pattern: /\bwhether or not\b/gi, message: "write 'whether'" },
  { pattern: /\bmay not\b/gi, message: "write 'must not', 'cannot' or 'might not'" },
];

/** Names and texts that must stay: identifiers, the wire, quotations. */
const exceptions: readonly RegExp[] = [];

export const checkPhrasebook: Rule = (files) => files.filter(isClean).flatMap(violationsIn);

/** All hits in a file, whether or not it is in a clean folder. */
export function violationsIn(file: SourceFile): ReturnType<Rule> {
  const prose = exceptions.reduce(blanked, wordsOf(file));
  return phrases.flatMap(({ pattern, message }) =>
    [...prose.matchAll(pattern)].map(({ 0: words, index }) => ({
      path: file.path,
      line: lineAt(file.text, index + words.length - words.trimStart().length),
      message: `'${words.trim()}': ${message}`,
    })),
  );
}

export function isChecked({ path }: SourceFile): boolean {
  return /\.(?:tsx?|md|scenario)$/.test(path) && !isGenerated(path) && !/\/phrasebook\b/.test(path);
}

function isClean(file: SourceFile): boolean {
  return isChecked(file) && clean.some((place) => covers(place, file.path));
}

function covers(place: string, path: string): boolean {
  return place.endsWith('/') ? path.startsWith(place) : path === place;
}

/** Prose without names: code in backticks, files, link targets, and literals of one word. */
export function wordsOf(file: SourceFile): string {
  const prose = blanked(proseOf(file), /`[^`\n]*`|\]\([^)\n]*\)|[\w/.-]+\.(?:tsx?|md)\b/g);
  if (!isTypeScript(file)) return prose;
  let words = prose;
  for (const { 0: literal, index } of file.code.matchAll(/(['"`]) *\1/g)) {
    const end = index + literal.length;
    if (/\s/.test(file.text.slice(index, end))) continue;
    words = words.slice(0, index) + ' '.repeat(literal.length) + words.slice(end);
  }
  return words;
}
