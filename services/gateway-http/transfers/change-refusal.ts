// Why a deposit or a withdrawal can not be changed, as clients are told.

import type { RequestRefusal, RequestRow } from '../../../domain/transfers/index.ts';
import { ApiRefusal } from '../api-refusal.ts';
import { notFound } from './read-request.ts';

export function changeRefusal(type: RequestRow['type'], refusal: RequestRefusal): ApiRefusal {
  switch (refusal) {
    case 'request_must_exist':
      return new ApiRefusal(notFound(type));
    case 'several_requests_have_this_transaction':
      return new ApiRefusal('transaction_id_ambiguous');
    case 'transaction_already_credited':
      return new ApiRefusal('transaction_id_used');
    case 'request_is_under_way':
    case 'request_has_ended':
      return new ApiRefusal(type === 'deposit' ? 'deposit_ended' : 'withdrawal_under_way');
  }
}
