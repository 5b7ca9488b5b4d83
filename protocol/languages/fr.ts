// The texts of errors in French, by the catalogue's keys. What is missing is said in English.

import type { Texts } from './translated-texts.ts';

export const fr: Texts = {
  credentials_missing: 'Accès refusé : aucun jeton n’a été envoyé',
  session_unknown: 'Accès refusé : session introuvable',
  session_revoked: 'Accès refusé : le jeton a déjà été révoqué',
  session_expired: 'Accès refusé : le jeton a expiré',
  account_deactivated: 'Accès refusé : ce compte est désactivé',
  role_missing: 'Accès refusé : vous n’y êtes pas autorisé',
  request_invalid: 'La requête n’est pas valide : {detail}',
  value_not_a_number: 'La valeur n’est pas un nombre : {name}',
  dates_reversed: 'start_date ne doit pas être après end_date',
  no_rows_for_csv: 'Aucune donnée à convertir en CSV',
  path_not_found: 'Introuvable',
  rate_limit_exceeded: 'Trop de requêtes. Réessayez plus tard',
  internal_fault: 'Une erreur s’est produite. Réessayez plus tard',
  exchange_busy: 'La bourse est surchargée et n’a pas pris la requête. Réessayez plus tard',
  exchange_without_leader:
    'La bourse n’est pas disponible pour le moment et n’a pas pris la requête. Réessayez plus tard',
  tables_behind:
    'La réponse ne contiendrait pas encore ce qui vous a déjà été annoncé. Réessayez plus tard',
  data_unavailable: 'Service indisponible. Réessayez plus tard',
  outcome_unknown:
    'Résultat inconnu : la requête a peut-être été exécutée. Vérifiez vos ordres avant de ' +
    'la renvoyer',
  order_must_exist: 'Ordre introuvable',
  symbol_invalid: 'Paire non valide : {symbol}',
  available_balance_too_small: 'Solde insuffisant pour passer l’ordre',
  market_is_frozen:
    'Le marché est arrêté jusqu’à vérification par un opérateur ; les ordres peuvent être annulés',
  market_does_not_accept_orders: 'Le marché n’accepte pas d’ordres pour le moment',
  market_accepts_post_only_orders_only:
    'Le marché n’accepte que des ordres post-only pour le moment',
  price_missing: 'Un ordre limite doit avoir un prix',
  price_invalid: 'Prix non valide : {problem}',
  size_invalid: 'Quantité non valide : {problem}',
  stop_invalid: 'Stop non valide : {problem}',
  size_below_minimum: 'La taille de l’ordre est hors limites',
  size_above_maximum: 'La taille de l’ordre est hors limites : trop grande',
  price_below_minimum: 'Le prix de l’ordre est hors limites : trop bas',
  price_above_maximum: 'Le prix de l’ordre est hors limites : trop élevé',
  post_only_order_must_be_limit: 'Un ordre post-only ne peut pas être un ordre au marché',
  post_only_order_would_trade:
    'L’ordre a été refusé : étant post-only, il aurait été exécuté immédiatement',
  stop_order_needs_a_market_price:
    'Un stop a besoin d’un prix de marché, et ce marché n’en a pas encore',
  stop_price_must_be_above_market_price:
    'Le stop d’un ordre d’achat doit être au-dessus du prix du marché',
  stop_price_must_be_below_market_price:
    'Le stop d’un ordre de vente doit être au-dessous du prix du marché',
  open_orders_limit_reached: 'Vous avez trop d’ordres ouverts',
  price_outside_band: 'Le prix est trop éloigné du prix du marché pour le moment',
  no_liquidity_within_limits: 'L’ordre ne peut pas être exécuté avec cette taille',
  order_cannot_be_filled_completely:
    'L’ordre n’a pas été exécuté : il ne peut pas l’être entièrement tout de suite',
  amend_must_change_something: 'Il n’y a rien à modifier',
  amended_size_must_exceed_filled_size: 'La nouvelle taille doit dépasser ce qui est déjà exécuté',
  quote_token_used: 'Le jeton a déjà été utilisé',
  quote_has_expired: 'La cotation a expiré',
  quote_token_unknown: 'Cotation non valide',
  quote_too_small: 'L’ordre est trop petit pour être exécuté',
  quoted_price_no_longer_available:
    'L’ordre n’a pas été exécuté : le prix coté n’est plus disponible',
  quote_amount_must_be_positive: 'Le montant doit être positif',
  quote_pair_not_offered: 'Ces monnaies ne peuvent pas être converties',
  currency_invalid: 'Monnaie non valide : {currency}',
  amount_invalid: 'Montant non valide : {problem}',
  balance_too_small: 'Solde insuffisant',
  withdrawals_are_off: 'Les retraits sont désactivés pour {currency}',
  withdrawals_blocked: 'Les retraits de votre compte sont bloqués jusqu’au {until}',
  level_too_low: 'Votre niveau de vérification est trop bas pour les retraits',
  network_missing: 'Un réseau est nécessaire pour {currency} : l’un de {networks}',
  network_invalid: 'Réseau {network} non valide pour {currency}',
  address_invalid: 'Adresse non valide pour {currency}',
  amount_below_minimum: 'Le montant doit être d’au moins {min}',
  amount_above_maximum: 'Le montant doit être d’au plus {max}',
  withdrawal_limit_reached: 'La limite de retrait de votre niveau est atteinte',
  withdrawal_month_limit_reached: 'La limite mensuelle de retrait est atteinte',
  withdrawal_not_found: 'Retrait introuvable',
  withdrawal_under_way: 'Le retrait est en cours ou terminé et ne peut pas être modifié',
};
