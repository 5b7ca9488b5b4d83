// The texts of errors in Spanish, by the catalogue's keys. What is missing is said in English.

import type { Texts } from './translated-texts.ts';

export const es: Texts = {
  credentials_missing: 'Acceso denegado: no se envió ningún token',
  session_unknown: 'Acceso denegado: sesión no encontrada',
  session_revoked: 'Acceso denegado: el token ya fue revocado',
  session_expired: 'Acceso denegado: el token ha caducado',
  account_deactivated: 'Acceso denegado: esta cuenta está desactivada',
  role_missing: 'Acceso denegado: no tiene autorización para esto',
  request_invalid: 'La solicitud no es válida: {detail}',
  value_not_a_number: 'El valor no es un número: {name}',
  dates_reversed: 'start_date no puede ser posterior a end_date',
  no_rows_for_csv: 'No hay datos para convertir a CSV',
  path_not_found: 'No encontrado',
  rate_limit_exceeded: 'Demasiadas solicitudes. Inténtelo más tarde',
  internal_fault: 'Algo salió mal. Inténtelo más tarde',
  exchange_busy: 'La bolsa está ocupada y no ha aceptado la solicitud. Inténtelo más tarde',
  exchange_without_leader:
    'La bolsa no está disponible por ahora y no ha aceptado la solicitud. Inténtelo más tarde',
  tables_behind: 'La respuesta aún no incluiría lo que ya se le ha comunicado. Inténtelo más tarde',
  data_unavailable: 'Servicio no disponible. Inténtelo más tarde',
  outcome_unknown:
    'Resultado desconocido: es posible que la solicitud se haya ejecutado. Revise sus ' +
    'órdenes antes de enviarla de nuevo',
  order_must_exist: 'Orden no encontrada',
  symbol_invalid: 'Par no válido: {symbol}',
  available_balance_too_small: 'Saldo insuficiente para realizar la orden',
  market_is_frozen:
    'El mercado está detenido hasta que un operador lo revise; las órdenes se pueden cancelar',
  market_does_not_accept_orders: 'El mercado no acepta órdenes por ahora',
  market_accepts_post_only_orders_only: 'Por ahora el mercado solo acepta órdenes post-only',
  price_missing: 'Una orden limitada necesita un precio',
  price_invalid: 'Precio no válido: {problem}',
  size_invalid: 'Cantidad no válida: {problem}',
  stop_invalid: 'Stop no válido: {problem}',
  size_below_minimum: 'El tamaño de la orden está fuera de los límites',
  size_above_maximum: 'El tamaño de la orden está fuera de los límites: demasiado grande',
  price_below_minimum: 'El precio de la orden está fuera de los límites: demasiado bajo',
  price_above_maximum: 'El precio de la orden está fuera de los límites: demasiado alto',
  post_only_order_must_be_limit: 'Una orden post-only no puede ser de mercado',
  post_only_order_would_trade:
    'La orden fue rechazada porque, siendo post-only, se habría ejecutado de inmediato',
  stop_order_needs_a_market_price:
    'Un stop necesita un precio de mercado, y este mercado aún no tiene',
  stop_price_must_be_above_market_price:
    'El stop de una orden de compra debe estar por encima del precio de mercado',
  stop_price_must_be_below_market_price:
    'El stop de una orden de venta debe estar por debajo del precio de mercado',
  open_orders_limit_reached: 'Tiene demasiadas órdenes abiertas',
  price_outside_band: 'El precio está demasiado lejos del precio de mercado en este momento',
  no_liquidity_within_limits: 'La orden no se puede ejecutar con este tamaño',
  order_cannot_be_filled_completely: 'La orden no se ejecutó: no se puede completar de inmediato',
  amend_must_change_something: 'No hay nada que cambiar',
  amended_size_must_exceed_filled_size: 'El nuevo tamaño debe ser mayor que lo ya ejecutado',
  quote_token_used: 'El token ya se ha utilizado',
  quote_has_expired: 'La cotización ha caducado',
  quote_token_unknown: 'Cotización no válida',
  quote_too_small: 'La orden es demasiado pequeña para ejecutarse',
  quoted_price_no_longer_available:
    'La orden no se ejecutó: el precio cotizado ya no está disponible',
  quote_amount_must_be_positive: 'El importe debe ser positivo',
  quote_pair_not_offered: 'Estas monedas no se pueden convertir',
  currency_invalid: 'Moneda no válida: {currency}',
  amount_invalid: 'Importe no válido: {problem}',
  balance_too_small: 'Saldo insuficiente',
  withdrawals_are_off: 'Los retiros están desactivados para {currency}',
  withdrawals_blocked: 'Los retiros están bloqueados en su cuenta hasta {until}',
  level_too_low: 'Su nivel de verificación es demasiado bajo para retirar',
  network_missing: 'Se necesita una red para {currency}: una de {networks}',
  network_invalid: 'Red {network} no válida para {currency}',
  address_invalid: 'Dirección no válida para {currency}',
  amount_below_minimum: 'El importe debe ser al menos {min}',
  amount_above_maximum: 'El importe debe ser como máximo {max}',
  withdrawal_limit_reached:
    'Se alcanzó el límite de retiro de su nivel: hoy quedan {remaining} {currency}',
  withdrawal_month_limit_reached:
    'Se alcanzó el límite mensual de retiro: quedan {remaining} {currency}',
  withdrawal_not_found: 'Retiro no encontrado',
  withdrawal_under_way: 'El retiro está en curso o terminado y no se puede cambiar',
};
