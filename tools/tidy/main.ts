// Prints what is untidy in this repository and fails when anything is. Part of `npm run check`.
// With `--words` it only lists the places whose English is not plain, and counts them by folder.

import { checkPlainWords } from './plain-words.ts';
import { readRepository, repositoryRoot } from './repository.ts';
import { tidy } from './rules.ts';

const files = readRepository(repositoryRoot);

if (process.argv.includes('--words')) {
  printWords();
} else {
  const violations = tidy(files);
  for (const violation of violations) console.error(violation);
  console.log(`tidy: ${files.length} files, ${violations.length} violations`);
  if (violations.length > 0) process.exitCode = 1;
}

function printWords(): void {
  const places = checkPlainWords(files);
  for (const { line, message, path } of places) console.log(`${path}:${line}  ${message}`);
  const byFolder = Object.groupBy(places, ({ path }) => path.split('/')[0]);
  for (const [folder, own] of Object.entries(byFolder)) console.log(folder, own?.length);
  console.log(`plain words: ${places.length} places in ${files.length} files`);
}
