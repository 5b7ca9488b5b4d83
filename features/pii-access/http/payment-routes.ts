// Payment details of users for operators: a list, masked unless the view is unmasked, and actions.

import type { UserId } from '../../../core/money/index.ts';
import { inTransaction, withConnection } from '../../../infra/postgres/index.ts';
import {
  type Dependencies,
  type HandlersOf,
  JsonText,
  orderedRows,
  ROWS_REACHED_MAX,
} from '../../../platform/http/index.ts';
import type { PaymentDetail as PaymentDetailJson } from '../../../protocol/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import { answerAct, type OperatorCall, operatorOf } from '../../approvals/http/index.ts';
import {
  addPaymentAct,
  changePaymentAct,
  type PaymentPayload,
  removePaymentAct,
} from '../../payments/admin/index.ts';
import { paymentDetailJson, statusOf } from '../../payments/http/index.ts';
import {
  listedDetailOf,
  listPaymentDetails,
  type PaymentDetail,
  paymentDetailList,
} from '../../payments/index.ts';
import { maskBank } from '../masked-values.ts';
import { maskText } from '../masks.ts';
import { viewOf } from '../personal-view.ts';
import { countOrRefuse, viewAfterAct } from './guard-read.ts';

type PaymentRoutes = Pick<
  HandlersOf<'people'>,
  | 'addPaymentDetailOfUser'
  | 'changePaymentDetailOfUser'
  | 'getPaymentDetailsOfUsers'
  | 'removePaymentDetailOfUser'
>;

const SORT_COLUMNS = { id: 'p.id', created_at: 'p.created_at', updated_at: 'p.updated_at' };

export const paymentRoutes: PaymentRoutes = {
  async getPaymentDetailsOfUsers(call, dependencies) {
    const { query } = call;
    const { limit, page } = query;
    if (page * limit > ROWS_REACHED_MAX) return new Refused('too_many_rows');
    const asking = operatorOf(call);
    const { powers, user: operator } = asking;
    const user = query.user_id as UserId | undefined;
    if (user === undefined && !powers.has('pii.search')) return new Refused('search_too_wide');
    const list = paymentDetailList({
      user,
      id: query.id,
      isP2p: query.is_p2p,
      isFiatControl: query.is_fiat_control,
      ...statusFilter(query.status),
    });
    const statement = orderedRows(query, { ...list, sortColumns: SORT_COLUMNS });
    if (statement instanceof Refused) return statement;
    return withConnection(dependencies.registry, (connection) =>
      inTransaction(connection, async () => {
        const values = [...list.values, limit, (page - 1) * limit];
        const { rows } = await connection.query(statement, values);
        const counted = await connection.query(list.count, [...list.values, ROWS_REACHED_MAX]);
        const details = rows.map((row) => listedDetailOf(dependencies.vault, row));
        const view = await viewOf(connection, asking);
        const isClear = (detail: PaymentDetail) =>
          view.isClear ||
          (user !== undefined &&
            detail.status === 'pending' &&
            detail.writtenBy !== operator &&
            powers.has('pii.unmasked'));
        const spent = await countOrRefuse(connection, call, dependencies, {
          subject: user,
          reason: user === undefined ? 'list' : 'id',
          fields: details.some(isClear) ? ['payment_details'] : [],
        });
        if (spent !== undefined) return spent;
        const data = details.map((detail) => paymentDetailOf(detail, isClear(detail)));
        return new JsonText(
          `{"count":${Number(counted.rows[0].count)},"data":${JSON.stringify(data)}}`,
        );
      }),
    );
  },

  addPaymentDetailOfUser(call, dependencies) {
    return answerAct(call, dependencies, addPaymentAct, payloadOf(call.body), (done) =>
      readDetail(call, dependencies, done),
    );
  },

  changePaymentDetailOfUser(call, dependencies) {
    return answerAct(call, dependencies, changePaymentAct, payloadOf(call.body), (done) =>
      readDetail(call, dependencies, done),
    );
  },

  removePaymentDetailOfUser(call, dependencies) {
    const payload = { user: call.body.user_id, id: call.body.id };
    return answerAct(call, dependencies, removePaymentAct, payload, () => ({ message: 'Success' }));
  },
};

interface PaymentBody {
  readonly user_id: number;
  readonly id?: number;
  readonly name?: string;
  readonly label?: string;
  readonly details?: object;
  readonly is_p2p?: boolean;
  readonly is_fiat_control?: boolean;
  readonly status?: number;
}

function payloadOf(body: PaymentBody): PaymentPayload {
  const { details, id = 0, label = null, name = '', status, user_id: user } = body;
  return {
    user,
    id,
    name,
    label,
    details: details === undefined ? '' : JSON.stringify(details),
    isP2p: body.is_p2p ?? null,
    isFiatControl: body.is_fiat_control ?? null,
    status: status === undefined ? '' : statusOf(status),
  };
}

async function readDetail(
  call: OperatorCall,
  dependencies: Dependencies,
  { id, user }: { readonly user: number; readonly id: number },
): Promise<PaymentDetailJson | Refused<'payment_detail_unknown'>> {
  const { registry, vault } = dependencies;
  const [detail] = await listPaymentDetails(registry, vault, user as UserId, { id });
  if (detail === undefined) return new Refused('payment_detail_unknown');
  const { isClear } = await viewAfterAct(call, dependencies, user as UserId);
  return paymentDetailOf(detail, isClear);
}

function paymentDetailOf(detail: PaymentDetail, isClear: boolean): PaymentDetailJson {
  const json = paymentDetailJson(detail);
  if (isClear) return json;
  const { details, label, name } = json;
  return {
    ...json,
    name: maskText(name),
    label: maskText(label),
    details: maskBank(details),
  };
}

function statusFilter(status: string | undefined) {
  if (status === undefined) return {};
  if (status === 'true') return { status: 'verified' } as const;
  if (status === 'false') return { isNotVerified: true } as const;
  return { status: statusOf(Number(status)) };
}
