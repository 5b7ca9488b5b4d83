// The texts of errors in Portuguese, by the catalogue's keys. What is missing is said in English.

import type { Texts } from './translated-texts.ts';

export const pt: Texts = {
  credentials_missing: 'Acesso negado: nenhum token foi enviado',
  session_unknown: 'Acesso negado: sessão não encontrada',
  session_revoked: 'Acesso negado: o token já foi revogado',
  session_expired: 'Acesso negado: o token expirou',
  account_deactivated: 'Acesso negado: esta conta está desativada',
  role_missing: 'Acesso negado: você não tem autorização para isto',
  request_invalid: 'A solicitação não é válida: {detail}',
  value_not_a_number: 'O valor não é um número: {name}',
  dates_reversed: 'start_date não pode ser depois de end_date',
  no_rows_for_csv: 'Não há dados para converter em CSV',
  path_not_found: 'Não encontrado',
  rate_limit_exceeded: 'Solicitações demais. Tente mais tarde',
  internal_fault: 'Algo deu errado. Tente mais tarde',
  exchange_busy: 'A bolsa está ocupada e não aceitou a solicitação. Tente mais tarde',
  exchange_without_leader:
    'A bolsa não está disponível no momento e não aceitou a solicitação. Tente mais tarde',
  tables_behind: 'A resposta ainda não conteria o que já lhe foi informado. Tente mais tarde',
  data_unavailable: 'Serviço indisponível. Tente mais tarde',
  outcome_unknown:
    'Resultado desconhecido: a solicitação pode ter sido executada. Verifique suas ordens ' +
    'antes de enviá-la de novo',
  order_must_exist: 'Ordem não encontrada',
  symbol_invalid: 'Par inválido: {symbol}',
  available_balance_too_small: 'Saldo insuficiente para executar a ordem',
  market_is_frozen:
    'O mercado está parado até que um operador o verifique; as ordens podem ser canceladas',
  market_does_not_accept_orders: 'O mercado não aceita ordens no momento',
  market_accepts_post_only_orders_only: 'No momento o mercado só aceita ordens post-only',
  price_missing: 'Uma ordem limitada precisa de um preço',
  price_invalid: 'Preço inválido: {problem}',
  size_invalid: 'Quantidade inválida: {problem}',
  stop_invalid: 'Stop inválido: {problem}',
  size_below_minimum: 'O tamanho da ordem está fora dos limites',
  size_above_maximum: 'O tamanho da ordem está fora dos limites: grande demais',
  price_below_minimum: 'O preço da ordem está fora dos limites: baixo demais',
  price_above_maximum: 'O preço da ordem está fora dos limites: alto demais',
  post_only_order_must_be_limit: 'Uma ordem post-only não pode ser a mercado',
  post_only_order_would_trade:
    'A ordem foi rejeitada porque, sendo post-only, seria executada de imediato',
  stop_order_needs_a_market_price:
    'Um stop precisa de um preço de mercado, e este mercado ainda não tem',
  stop_price_must_be_above_market_price:
    'O stop de uma ordem de compra deve estar acima do preço de mercado',
  stop_price_must_be_below_market_price:
    'O stop de uma ordem de venda deve estar abaixo do preço de mercado',
  open_orders_limit_reached: 'Você tem ordens abertas demais',
  price_outside_band: 'O preço está longe demais do preço de mercado no momento',
  no_liquidity_within_limits: 'A ordem não pode ser executada com este tamanho',
  order_cannot_be_filled_completely:
    'Ordem não executada: não pode ser preenchida por completo de imediato',
  amend_must_change_something: 'Não há nada para alterar',
  amended_size_must_exceed_filled_size: 'O novo tamanho deve ser maior que o já executado',
  quote_token_used: 'O token já foi usado',
  quote_has_expired: 'A cotação expirou',
  quote_token_unknown: 'Cotação inválida',
  quote_too_small: 'A ordem é pequena demais para ser executada',
  quoted_price_no_longer_available: 'Ordem não executada: o preço cotado não está mais disponível',
  quote_amount_must_be_positive: 'O valor deve ser positivo',
  quote_pair_not_offered: 'Estas moedas não podem ser convertidas',
  currency_invalid: 'Moeda inválida: {currency}',
  amount_invalid: 'Valor inválido: {problem}',
  balance_too_small: 'Saldo insuficiente',
  withdrawals_are_off: 'Os saques estão desativados para {currency}',
  withdrawals_blocked: 'Os saques da sua conta estão bloqueados até {until}',
  level_too_low: 'Seu nível de verificação é baixo demais para saques',
  network_missing: 'É necessária uma rede para {currency}: uma de {networks}',
  network_invalid: 'Rede {network} inválida para {currency}',
  address_invalid: 'Endereço inválido para {currency}',
  amount_below_minimum: 'O valor deve ser de pelo menos {min}',
  amount_above_maximum: 'O valor deve ser de no máximo {max}',
  withdrawal_limit_reached:
    'O limite de saque do seu nível foi atingido: hoje restam {remaining} {currency}',
  withdrawal_month_limit_reached:
    'O limite mensal de saque foi atingido: restam {remaining} {currency}',
  withdrawal_not_found: 'Saque não encontrado',
  withdrawal_under_way: 'O saque está em andamento ou encerrado e não pode ser alterado',
};
