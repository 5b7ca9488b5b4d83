// Comments, quoted texts and documents are plain English: no "can not", no metaphor from the list
// below, and no sentence that starts with a bare "who" or "what" without being a question.

import { isGenerated, isTypeScript, lineAt, type Rule, type SourceFile } from './source-file.ts';

const phrases: { pattern: RegExp; message: string }[] = [
  { pattern: /\bcan not\b(?! only\b)/gi, message: "write 'cannot'" },
  { pattern: /\bwho(?:so)?ever\b/gi, message: 'name the actor' },
  {
    pattern: /\b(?:is|are|was|were|be|been) told\b(?! apart\b)/gi,
    message: 'say who reports, publishes or sends what',
  },
  { pattern: /\b(?:is|are) said of\b/gi, message: 'say what applies to what' },
  {
    pattern: /\bat (?:the door|hand)\b|\bhung up on\b|\bthe short way\b/gi,
    message: 'use the technical word',
  },
  { pattern: /\b(?:he|him|himself)\b/gi, message: "write 'they' or name the actor" },
];

/** Public error texts, which clients might match. They never change. */
const keptTexts = new RegExp(
  [
    'POST ONLY order can not be of type market',
    'The order with the current size can not be filled',
    'message can not be empty',
  ].join('|'),
  'g',
);

/** A pronoun without a noun before it; 'whoever' is in the phrases. */
const opening = /\b(?:who|what(?:ever)?)(?= +\w)/gi;

export const checkPlainWords: Rule = (files) =>
  files.filter(isJudged).flatMap((file) => {
    const prose = proseOf(file);
    const found = phrases.flatMap(({ pattern, message }) =>
      [...prose.matchAll(pattern)].map(({ 0: words, index }) => ({ index, words, message })),
    );
    for (const { 0: words, index } of prose.matchAll(opening)) {
      if (!opensSentence(file, prose, index) || isQuestionOrTitle(prose, index)) continue;
      found.push({ index, words, message: 'opens a sentence that asks nothing; name the subject' });
    }
    return found.map(({ index, message, words }) => ({
      path: file.path,
      line: lineAt(file.text, index),
      message: `'${words}': ${message}`,
    }));
  });

/** The rule's own samples violate it, and generated code follows its source. */
function isJudged({ path }: SourceFile): boolean {
  return /\.(?:ts|md|scenario)$/.test(path) && !isGenerated(path) && !/\/plain-words\b/.test(path);
}

/** Returns comments and texts in TypeScript, or an entire document; offsets are unchanged. */
export function proseOf(file: SourceFile): string {
  const { code, text } = file;
  if (!isTypeScript(file)) return blanked(blanked(text, /`[^`\n]*`/g), keptTexts);
  let prose = '';
  for (let at = 0; at < text.length; at++) {
    prose += code[at] === ' ' || text[at] === '\n' ? text[at] : ' ';
  }
  return blanked(prose, keptTexts);
}

export function blanked(text: string, pattern: RegExp): string {
  return text.replace(pattern, (found) => ' '.repeat(found.length));
}

/** At the start of a quoted text, a comment or a table cell, or after a full stop. */
function opensSentence(file: SourceFile, prose: string, index: number): boolean {
  const before = prose.slice(Math.max(0, index - 6), index);
  if (isTypeScript(file) && /['"`]/.test(file.code[index - 1] ?? '')) return true;
  if (!/[A-Z]/.test(prose[index])) return false;
  // A heading can be a title like "What it costs".
  const line = prose.slice(prose.lastIndexOf('\n', index) + 1, index);
  return !/^#+ $/.test(line) && /(?:^|[.?!:|*/-] +|\n *| {2})$/.test(before);
}

/** A question, or a title: at most two words, or before a colon ('What to do:'). */
function isQuestionOrTitle(prose: string, index: number): boolean {
  const rest = prose.slice(index, index + 400);
  const end = /[.?!](?=\s|$|['"`*)])|:(?=\s*\n)|\||\n\s*\n| {3,}|$/.exec(rest);
  if (end?.[0] === '?' || end?.[0] === ':') return true;
  return rest.slice(0, end?.index).trim().split(/\s+/).length <= 2;
}
