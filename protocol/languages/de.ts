// The texts of errors in German, by the catalogue's keys. What is missing is said in English.

import type { Texts } from './translated-texts.ts';

export const de: Texts = {
  credentials_missing: 'Zugriff verweigert: Es wurde kein Token gesendet',
  session_unknown: 'Zugriff verweigert: Sitzung nicht gefunden',
  session_revoked: 'Zugriff verweigert: Das Token wurde bereits widerrufen',
  session_expired: 'Zugriff verweigert: Das Token ist abgelaufen',
  account_deactivated: 'Zugriff verweigert: Dieses Konto ist deaktiviert',
  role_missing: 'Zugriff verweigert: Sie sind dazu nicht berechtigt',
  request_invalid: 'Die Anfrage ist ungültig: {detail}',
  value_not_a_number: 'Der Wert ist keine Zahl: {name}',
  dates_reversed: 'start_date darf nicht nach end_date liegen',
  no_rows_for_csv: 'Keine Daten für eine CSV-Datei',
  path_not_found: 'Nicht gefunden',
  rate_limit_exceeded: 'Zu viele Anfragen. Bitte später erneut versuchen',
  internal_fault: 'Etwas ist schiefgegangen. Bitte später erneut versuchen',
  exchange_busy:
    'Die Börse ist ausgelastet und hat die Anfrage nicht angenommen. Bitte später erneut versuchen',
  exchange_without_leader:
    'Die Börse ist zurzeit nicht verfügbar und hat die Anfrage nicht angenommen. Bitte ' +
    'später erneut versuchen',
  tables_behind:
    'Die Antwort enthielte noch nicht, was Ihnen bereits mitgeteilt wurde. Bitte später ' +
    'erneut versuchen',
  data_unavailable: 'Dienst nicht verfügbar. Bitte später erneut versuchen',
  outcome_unknown:
    'Ergebnis unbekannt: Die Anfrage wurde möglicherweise ausgeführt. Prüfen Sie Ihre ' +
    'Orders, bevor Sie sie erneut senden',
  order_must_exist: 'Order nicht gefunden',
  symbol_invalid: 'Ungültiges Handelspaar: {symbol}',
  available_balance_too_small: 'Das Guthaben reicht für diese Order nicht aus',
  market_is_frozen:
    'Der Markt ist angehalten, bis ein Betreiber ihn geprüft hat; Orders können storniert werden',
  market_does_not_accept_orders: 'Der Markt nimmt zurzeit keine Orders an',
  market_accepts_post_only_orders_only: 'Der Markt nimmt zurzeit nur Post-only-Orders an',
  price_missing: 'Eine Limit-Order braucht einen Preis',
  price_invalid: 'Ungültiger Preis: {problem}',
  size_invalid: 'Ungültige Menge: {problem}',
  stop_invalid: 'Ungültiger Stop: {problem}',
  size_below_minimum: 'Die Ordergröße liegt außerhalb der Grenzen',
  size_above_maximum: 'Die Ordergröße liegt außerhalb der Grenzen: zu groß',
  price_below_minimum: 'Der Orderpreis liegt außerhalb der Grenzen: zu niedrig',
  price_above_maximum: 'Der Orderpreis liegt außerhalb der Grenzen: zu hoch',
  post_only_order_must_be_limit: 'Eine Post-only-Order kann keine Market-Order sein',
  post_only_order_would_trade:
    'Die Order wurde abgelehnt, weil sie als Post-only-Order sofort ausgeführt worden wäre',
  stop_order_needs_a_market_price:
    'Ein Stop braucht einen Marktpreis, und dieser Markt hat noch keinen',
  stop_price_must_be_above_market_price: 'Der Stop einer Kauforder muss über dem Marktpreis liegen',
  stop_price_must_be_below_market_price:
    'Der Stop einer Verkaufsorder muss unter dem Marktpreis liegen',
  open_orders_limit_reached: 'Sie haben zu viele offene Orders',
  price_outside_band: 'Der Preis ist zurzeit zu weit vom Marktpreis entfernt',
  no_liquidity_within_limits: 'Die Order kann in dieser Größe nicht ausgeführt werden',
  order_cannot_be_filled_completely:
    'Die Order wurde nicht ausgeführt: Sie kann nicht sofort vollständig ausgeführt werden',
  amend_must_change_something: 'Es gibt nichts zu ändern',
  amended_size_must_exceed_filled_size: 'Die neue Größe muss über der bereits ausgeführten liegen',
  quote_token_used: 'Das Token wurde bereits verwendet',
  quote_has_expired: 'Das Angebot ist abgelaufen',
  quote_token_unknown: 'Ungültiges Angebot',
  quote_too_small: 'Die Order ist zu klein, um ausgeführt zu werden',
  quoted_price_no_longer_available:
    'Die Order wurde nicht ausgeführt: Der angebotene Preis ist nicht mehr verfügbar',
  quote_amount_must_be_positive: 'Der Betrag muss positiv sein',
  quote_pair_not_offered: 'Diese Währungen können nicht getauscht werden',
  currency_invalid: 'Ungültige Währung: {currency}',
  amount_invalid: 'Ungültiger Betrag: {problem}',
  balance_too_small: 'Das Guthaben reicht nicht aus',
  withdrawals_are_off: 'Auszahlungen sind für {currency} abgeschaltet',
  withdrawals_blocked: 'Auszahlungen sind für Ihr Konto bis {until} gesperrt',
  level_too_low: 'Ihre Verifizierungsstufe ist für Auszahlungen zu niedrig',
  network_missing: 'Für {currency} muss ein Netzwerk angegeben werden: eines von {networks}',
  network_invalid: 'Ungültiges Netzwerk {network} für {currency}',
  address_invalid: 'Ungültige Adresse für {currency}',
  amount_below_minimum: 'Der Betrag muss mindestens {min} sein',
  amount_above_maximum: 'Der Betrag darf höchstens {max} sein',
  withdrawal_limit_reached: 'Das Auszahlungslimit Ihrer Stufe ist erreicht',
  withdrawal_month_limit_reached: 'Das monatliche Auszahlungslimit ist erreicht',
  withdrawal_not_found: 'Auszahlung nicht gefunden',
  withdrawal_under_way:
    'Die Auszahlung läuft bereits oder ist beendet und kann nicht geändert werden',
};
