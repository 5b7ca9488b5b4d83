// The texts of errors in Italian, by the catalogue's keys. What is missing is said in English.

import type { Texts } from './translated-texts.ts';

export const it: Texts = {
  credentials_missing: 'Accesso negato: nessun token inviato',
  session_unknown: 'Accesso negato: sessione non trovata',
  session_revoked: 'Accesso negato: il token è già stato revocato',
  session_expired: 'Accesso negato: il token è scaduto',
  account_deactivated: 'Accesso negato: questo account è disattivato',
  role_missing: 'Accesso negato: non sei autorizzato',
  request_invalid: 'La richiesta non è valida: {detail}',
  value_not_a_number: 'Il valore non è un numero: {name}',
  dates_reversed: 'start_date non può essere dopo end_date',
  no_rows_for_csv: 'Nessun dato da convertire in CSV',
  path_not_found: 'Non trovato',
  rate_limit_exceeded: 'Troppe richieste. Riprova più tardi',
  internal_fault: 'Qualcosa è andato storto. Riprova più tardi',
  exchange_busy: 'La borsa è occupata e non ha accettato la richiesta. Riprova più tardi',
  exchange_without_leader:
    'La borsa al momento non è disponibile e non ha accettato la richiesta. Riprova più tardi',
  tables_behind:
    'La risposta non conterrebbe ancora ciò che ti è già stato comunicato. Riprova più tardi',
  data_unavailable: 'Servizio non disponibile. Riprova più tardi',
  outcome_unknown:
    'Esito sconosciuto: la richiesta potrebbe essere stata eseguita. Controlla i tuoi ' +
    'ordini prima di inviarla di nuovo',
  order_must_exist: 'Ordine non trovato',
  symbol_invalid: 'Coppia non valida: {symbol}',
  available_balance_too_small: 'Saldo insufficiente per eseguire l’ordine',
  market_is_frozen:
    'Il mercato è fermo finché un operatore non lo avrà controllato; gli ordini si possono ' +
    'annullare',
  market_does_not_accept_orders: 'Il mercato al momento non accetta ordini',
  market_accepts_post_only_orders_only: 'Il mercato al momento accetta solo ordini post-only',
  price_missing: 'Un ordine limite deve avere un prezzo',
  price_invalid: 'Prezzo non valido: {problem}',
  size_invalid: 'Quantità non valida: {problem}',
  stop_invalid: 'Stop non valido: {problem}',
  size_below_minimum: 'La dimensione dell’ordine è fuori dai limiti',
  size_above_maximum: 'La dimensione dell’ordine è fuori dai limiti: troppo grande',
  price_below_minimum: 'Il prezzo dell’ordine è fuori dai limiti: troppo basso',
  price_above_maximum: 'Il prezzo dell’ordine è fuori dai limiti: troppo alto',
  post_only_order_must_be_limit: 'Un ordine post-only non può essere a mercato',
  post_only_order_would_trade:
    'L’ordine è stato rifiutato perché, essendo post-only, sarebbe stato eseguito subito',
  stop_order_needs_a_market_price:
    'Uno stop richiede un prezzo di mercato, e questo mercato non ne ha ancora uno',
  stop_price_must_be_above_market_price:
    'Lo stop di un ordine di acquisto deve essere sopra il prezzo di mercato',
  stop_price_must_be_below_market_price:
    'Lo stop di un ordine di vendita deve essere sotto il prezzo di mercato',
  open_orders_limit_reached: 'Hai troppi ordini aperti',
  price_outside_band: 'Il prezzo è al momento troppo lontano dal prezzo di mercato',
  no_liquidity_within_limits: 'L’ordine con questa dimensione non può essere eseguito',
  order_cannot_be_filled_completely: 'Ordine non eseguito: non può essere completato subito',
  amend_must_change_something: 'Non c’è nulla da modificare',
  amended_size_must_exceed_filled_size: 'La nuova dimensione deve superare quella già eseguita',
  quote_token_used: 'Il token è già stato usato',
  quote_has_expired: 'La quotazione è scaduta',
  quote_token_unknown: 'Quotazione non valida',
  quote_too_small: 'L’ordine è troppo piccolo per essere eseguito',
  quoted_price_no_longer_available: 'Ordine non eseguito: il prezzo quotato non è più disponibile',
  quote_amount_must_be_positive: 'L’importo deve essere positivo',
  quote_pair_not_offered: 'Queste valute non si possono convertire',
  currency_invalid: 'Valuta non valida: {currency}',
  amount_invalid: 'Importo non valido: {problem}',
  balance_too_small: 'Saldo insufficiente',
  withdrawals_are_off: 'I prelievi sono disattivati per {currency}',
  withdrawals_blocked: 'I prelievi del tuo account sono bloccati fino al {until}',
  level_too_low: 'Il tuo livello di verifica è troppo basso per i prelievi',
  network_missing: 'Per {currency} serve una rete: una tra {networks}',
  network_invalid: 'Rete {network} non valida per {currency}',
  address_invalid: 'Indirizzo non valido per {currency}',
  amount_below_minimum: 'L’importo deve essere almeno {min}',
  amount_above_maximum: 'L’importo deve essere al massimo {max}',
  withdrawal_limit_reached: 'Il limite di prelievo del tuo livello è raggiunto',
  withdrawal_month_limit_reached: 'Il limite mensile di prelievo è raggiunto',
  withdrawal_not_found: 'Prelievo non trovato',
  withdrawal_under_way: 'Il prelievo è in corso o concluso e non può essere modificato',
};
