// The texts of errors in Dutch, by the catalogue's keys. What is missing is said in English.

import type { Texts } from './translated-texts.ts';

export const nl: Texts = {
  credentials_missing: 'Toegang geweigerd: er is geen token verzonden',
  session_unknown: 'Toegang geweigerd: sessie niet gevonden',
  session_revoked: 'Toegang geweigerd: het token is al ingetrokken',
  session_expired: 'Toegang geweigerd: het token is verlopen',
  account_deactivated: 'Toegang geweigerd: dit account is gedeactiveerd',
  role_missing: 'Toegang geweigerd: u bent hiertoe niet bevoegd',
  request_invalid: 'Het verzoek is ongeldig: {detail}',
  value_not_a_number: 'De waarde is geen getal: {name}',
  dates_reversed: 'start_date mag niet na end_date liggen',
  no_rows_for_csv: 'Geen gegevens voor een CSV-bestand',
  path_not_found: 'Niet gevonden',
  rate_limit_exceeded: 'Te veel verzoeken. Probeer het later opnieuw',
  internal_fault: 'Er ging iets mis. Probeer het later opnieuw',
  exchange_busy:
    'De beurs is overbelast en heeft het verzoek niet aangenomen. Probeer het later opnieuw',
  exchange_without_leader:
    'De beurs is nu niet beschikbaar en heeft het verzoek niet aangenomen. Probeer het ' +
    'later opnieuw',
  tables_behind:
    'Het antwoord zou nog niet bevatten wat u al is meegedeeld. Probeer het later opnieuw',
  data_unavailable: 'Dienst niet beschikbaar. Probeer het later opnieuw',
  outcome_unknown:
    'Uitkomst onbekend: het verzoek is mogelijk uitgevoerd. Controleer uw orders voordat u ' +
    'het opnieuw verzendt',
  order_must_exist: 'Order niet gevonden',
  symbol_invalid: 'Ongeldig paar: {symbol}',
  available_balance_too_small: 'Onvoldoende saldo om de order uit te voeren',
  market_is_frozen:
    'De markt staat stil tot een beheerder ernaar heeft gekeken; orders kunnen worden geannuleerd',
  market_does_not_accept_orders: 'De markt neemt nu geen orders aan',
  market_accepts_post_only_orders_only: 'De markt neemt nu alleen post-only-orders aan',
  price_missing: 'Een limietorder heeft een prijs nodig',
  price_invalid: 'Ongeldige prijs: {problem}',
  size_invalid: 'Ongeldige hoeveelheid: {problem}',
  stop_invalid: 'Ongeldige stop: {problem}',
  size_below_minimum: 'De ordergrootte valt buiten de grenzen',
  size_above_maximum: 'De ordergrootte valt buiten de grenzen: te groot',
  price_below_minimum: 'De orderprijs valt buiten de grenzen: te laag',
  price_above_maximum: 'De orderprijs valt buiten de grenzen: te hoog',
  post_only_order_must_be_limit: 'Een post-only-order kan geen marktorder zijn',
  post_only_order_would_trade:
    'De order is geweigerd omdat hij als post-only-order meteen zou zijn uitgevoerd',
  stop_order_needs_a_market_price:
    'Een stop heeft een marktprijs nodig, en deze markt heeft er nog geen',
  stop_price_must_be_above_market_price:
    'De stop van een kooporder moet boven de marktprijs liggen',
  stop_price_must_be_below_market_price:
    'De stop van een verkooporder moet onder de marktprijs liggen',
  open_orders_limit_reached: 'U hebt te veel openstaande orders',
  price_outside_band: 'De prijs ligt nu te ver van de marktprijs',
  no_liquidity_within_limits: 'De order kan met deze grootte niet worden uitgevoerd',
  order_cannot_be_filled_completely:
    'Order niet uitgevoerd: hij kan niet meteen volledig worden uitgevoerd',
  amend_must_change_something: 'Er valt niets te wijzigen',
  amended_size_must_exceed_filled_size:
    'De nieuwe grootte moet groter zijn dan wat al is uitgevoerd',
  quote_token_used: 'Het token is al gebruikt',
  quote_has_expired: 'De offerte is verlopen',
  quote_token_unknown: 'Ongeldige offerte',
  quote_too_small: 'De order is te klein om te worden uitgevoerd',
  quoted_price_no_longer_available:
    'Order niet uitgevoerd: de geoffreerde prijs is niet meer beschikbaar',
  quote_amount_must_be_positive: 'Het bedrag moet positief zijn',
  quote_pair_not_offered: 'Deze valuta kunnen niet worden omgewisseld',
  currency_invalid: 'Ongeldige valuta: {currency}',
  amount_invalid: 'Ongeldig bedrag: {problem}',
  balance_too_small: 'Onvoldoende saldo',
  withdrawals_are_off: 'Opnames zijn uitgeschakeld voor {currency}',
  withdrawals_blocked: 'Opnames zijn voor uw account geblokkeerd tot {until}',
  level_too_low: 'Uw verificatieniveau is te laag voor opnames',
  network_missing: 'Voor {currency} is een netwerk nodig: een van {networks}',
  network_invalid: 'Ongeldig netwerk {network} voor {currency}',
  address_invalid: 'Ongeldig adres voor {currency}',
  amount_below_minimum: 'Het bedrag moet minstens {min} zijn',
  amount_above_maximum: 'Het bedrag mag hoogstens {max} zijn',
  withdrawal_limit_reached: 'De opnamelimiet van uw niveau is bereikt',
  withdrawal_month_limit_reached: 'De maandelijkse opnamelimiet is bereikt',
  withdrawal_not_found: 'Opname niet gevonden',
  withdrawal_under_way: 'De opname loopt al of is beëindigd en kan niet worden gewijzigd',
};
