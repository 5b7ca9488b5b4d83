// Handlers for publications and the user's own proof.

import type { HandlersOf } from '../../../platform/http/index.ts';
import { timeText } from '../../../protocol/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import { countPublications, findPublication, listPublications } from '../publications.ts';
import { hasTree, proveLiabilities } from '../user-proof.ts';

export const liabilitiesRoutes: HandlersOf<'liabilities'> = {
  async getLiabilities({ query }, { registry }) {
    const { limit, page } = query;
    const window = { limit, offset: (page - 1) * limit };
    const [count, publications] = [
      await countPublications(registry),
      await listPublications(registry, window),
    ];
    const data = publications.map(({ createdAt, document, frame, hash, publicKey, signature }) => ({
      frame,
      hash,
      document,
      signature,
      public_key: publicKey,
      created_at: timeText(createdAt.getTime()),
    }));
    return { count, data };
  },

  async getLiabilityProof({ caller, query }, { registry, vault }) {
    const publication = await findPublication(registry, query.frame);
    if (publication === undefined) return new Refused('publication_not_found');
    const { document, frame, publicKey, signature } = publication;
    if (!(await hasTree(registry, publication))) {
      return new Refused('liability_proof_not_available');
    }
    const assets = await proveLiabilities(registry, vault, publication, caller.user);
    return {
      frame,
      document,
      signature,
      public_key: publicKey,
      user_id: caller.user,
      assets,
    };
  },
};
