// Rejects phrases that read as translated, and British spelling, in comments, texts and documents.
// Identifiers and names on the wire are exempt; `exceptions` lists the few texts that must stay.

import { blanked, proseOf } from './plain-words.ts';
import { isGenerated, isTypeScript, lineAt, type Rule, type SourceFile } from './source-file.ts';

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
  { pattern: /\d (?:%(?! [\d$(])|h(?![\w-]))(?=\W)/g, message: "no space: '20%', '24h'" },
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
const exceptions: readonly RegExp[] = [
  // Error text of the interface.
  /one of your own deposit addresses/g,
  // Stored in audit entries and throttles.
  /\bset-up (?:token| )/g,
  // Mode of the market agents.
  /flash-crash, cancelling/g,
  // The unknown user of the scenarios.
  /^ {2}nobody (?:buys|is|arms)|to nobody(?= +\|)/gm,
  // Modulo in SQL.
  /\d % (?: |\d)/g,
];

export const checkPhrasebook: Rule = (files) => files.filter(isChecked).flatMap(violationsIn);

/** Returns all hits in a file, in any folder. */
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

function isChecked({ path }: SourceFile): boolean {
  return /\.(?:tsx?|md|scenario)$/.test(path) && !isGenerated(path) && !/\/phrasebook\b/.test(path);
}

/** Prose without names: code in backticks, files, link targets, and one-word literals. */
function wordsOf(file: SourceFile): string {
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
