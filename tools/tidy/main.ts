// Prints violations of the repository's rules and fails if there are any. Part of `npm run check`.
// With `--words` it only lists violations of plain English, and counts them by folder.

import { EXIT_FAILED, EXIT_OK, runTool } from '../command-line.ts';
import { checkPlainWords } from './plain-words.ts';
import { readRepository, repositoryRoot } from './repository.ts';
import { tidy, tidyTypes } from './rules.ts';
import type { SourceFile } from './source-file.ts';

await runTool({
  usage: `Usage: node tools/tidy/main.ts [--words]

Checks the repository's rules: import directions, file names, headers, lengths and
more. Prints each violation and exits with 1 if there are any.

  --words   list and count only violations of plain English`,
  options: { words: { type: 'boolean', default: false } },
  run({ values }) {
    const files = readRepository(repositoryRoot);
    if (values.words) return printWords(files);
    const violations = [...tidy(files), ...tidyTypes(repositoryRoot)];
    for (const violation of violations) console.error(violation);
    console.log(`tidy: ${files.length} files, ${violations.length} violations`);
    return violations.length === 0 ? EXIT_OK : EXIT_FAILED;
  },
});

function printWords(files: readonly SourceFile[]): void {
  const places = checkPlainWords(files);
  for (const { line, message, path } of places) console.log(`${path}:${line}  ${message}`);
  const byFolder = Object.groupBy(places, ({ path }) => path.split('/')[0]);
  for (const [folder, own] of Object.entries(byFolder)) console.log(folder, own?.length);
  console.log(`plain words: ${places.length} places in ${files.length} files`);
}
