// The verifier page: reads a proof file, verifies it in the browser and shows the result. Must
// never connect to a network; the policy of the page forbids it.

import { type LiabilityResult, verifyLiabilityProof } from '../../client/index.ts';

const REASONS: Readonly<Record<string, string>> = {
  file_malformed: 'The file is not a proof file, or it was changed.',
  format_unknown: 'The file has a newer format. Get a newer version of this page.',
  signature_invalid: 'The signature of the exchange is not valid.',
  signature_unsupported: 'This browser cannot check Ed25519 signatures. Use a current browser.',
  key_unexpected: 'The publication is signed with another key.',
  publication_unexpected: 'This is not the publication that you saw elsewhere.',
  frame_mismatch: 'The proof and the publication are of different times.',
  nothing_proven:
    'The file proves no balance for this user. If you had one at that time, ' +
    'the exchange left it out.',
  asset_unknown: 'The publication does not list this asset once.',
  asset_repeated: 'The file lists this asset twice.',
  chunks_invalid: 'The entries of this asset are incomplete.',
  amount_out_of_range: 'An amount is negative or too large.',
  sum_too_large: 'A total is too large.',
  path_length_wrong: 'The path to the total has the wrong length.',
  root_mismatch:
    'The amount, user ID or email address is not in the published total. ' +
    'Check the email address first.',
  total_mismatch: 'The published total is not the sum of its parts.',
};

function element<Kind extends keyof HTMLElementTagNameMap>(
  kind: Kind,
  text = '',
): HTMLElementTagNameMap[Kind] {
  const made = document.createElement(kind);
  made.textContent = text;
  return made;
}

function input(id: string): HTMLInputElement {
  return document.getElementById(id) as HTMLInputElement;
}

function showAmounts({ amounts }: LiabilityResult): HTMLElement {
  const table = element('table');
  const head = table.insertRow();
  head.append(element('th', 'Asset'), element('th', 'Your balance'));
  for (const { amount, asset } of amounts) {
    const row = table.insertRow();
    row.append(element('td', asset), element('td', amount));
  }
  return table;
}

function show(result: LiabilityResult, user: number, tookMs: number): HTMLElement {
  const box = element('div');
  box.className = result.isValid ? 'good' : 'bad';
  box.append(element('h2', result.isValid ? 'Your balance is included' : 'Not verified'));
  for (const { asset, problem } of result.findings) {
    const where = asset === undefined ? '' : `${asset}: `;
    box.append(element('p', `${where}${REASONS[problem]}`));
  }
  const { document: published, isValid, publicationHash } = result;
  if (!isValid || published === undefined) return box;
  box.append(element('p', `This file is for user ID ${user}. Check that it is yours.`));
  box.append(showAmounts(result));
  const list = element('dl');
  const facts = [
    ['Time of the balances', published.frame_time],
    ['Position in the log', `${published.frame}`],
    ['Publication hash: compare it with other users', publicationHash ?? ''],
    ['Verified in', `${tookMs.toFixed(1)} ms`],
  ];
  for (const [name, value] of facts) list.append(element('dt', name), element('dd', value));
  box.append(list);
  return box;
}

async function verify(): Promise<HTMLElement> {
  const [file] = input('file').files ?? [];
  if (file === undefined) return element('p', 'Choose a proof file first.');
  const hash = input('hash').value.trim();
  try {
    const proof = JSON.parse(await file.text());
    const beganMs = performance.now();
    const result = await verifyLiabilityProof(proof, {
      word: input('word').value.trim(),
      publicationHash: hash === '' ? undefined : hash,
    });
    return show(result, proof.user_id, performance.now() - beganMs);
  } catch {
    return show({ isValid: false, findings: [{ problem: 'file_malformed' }], amounts: [] }, 0, 0);
  }
}

document.querySelector('form')?.addEventListener('submit', async (event) => {
  event.preventDefault();
  const output = document.getElementById('result');
  output?.replaceChildren();
  output?.replaceChildren(await verify());
});
