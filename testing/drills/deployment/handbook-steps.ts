// Steps of docs/operating/three-machines.md, as an operator types them: code blocks whose fence has
// the name of the procedure.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const PAGE = join(import.meta.dirname, '../../../docs/operating/three-machines.md');

export type Procedure = 'create' | 'replica' | 'synchronous' | 'alone' | 'promote' | 'hosts';

/** Returns the lines of a procedure. Throws if the page has no procedure with this name. */
export function handbookSteps(procedure: Procedure): readonly string[] {
  const page = readFileSync(PAGE, 'utf8');
  const block = new RegExp(`^ *\`\`\`sh ${procedure}\\n([\\s\\S]*?)^ *\`\`\`$`, 'm').exec(page);
  if (block === null) throw new Error(`three-machines.md has no steps named '${procedure}'`);
  return block[1]
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
