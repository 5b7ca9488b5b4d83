// Executes a quote, for the quoted amounts or not at all. The engine takes the id that is made from
// the token once, so that a token that was used is refused, at whichever gateway.

import type { Routes } from '../../../protocol/index.ts';
import { ApiRefusal } from '../api-refusal.ts';
import { type Call, JsonText } from '../handler.ts';
import { tellPlaced } from '../orders/whole-orders.ts';
import type { Parts } from '../parts.ts';
import { openQuote, quoteOrderId } from '../quotes/quote-token.ts';
import { acceptedOf } from '../submit-command.ts';

export async function executeQuote(
  { body, caller }: Call<Routes['executeQuote']>,
  parts: Parts,
): Promise<JsonText> {
  const { key, user } = caller;
  const quote = openQuote(parts.quoteKey, body.token);
  if (quote === undefined) throw new ApiRefusal('quote_token_unknown');
  if (quote.user !== user) throw new ApiRefusal('quote_of_another_user');
  if (parts.clock.nowMs() > quote.expiresAtMs) throw new ApiRefusal('quote_has_expired');
  const submitted = await parts.commands.submit({
    ...quote,
    kind: 'ExecuteQuote',
    key,
    clientOrderId: quoteOrderId(body.token),
  });
  if (submitted.kind === 'refused' && submitted.refusal === 'client_order_id_already_used') {
    throw new ApiRefusal('quote_token_used');
  }
  return new JsonText(await tellPlaced(parts, acceptedOf(submitted)));
}
