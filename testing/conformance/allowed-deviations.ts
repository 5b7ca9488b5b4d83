// The intentional deviations from the documented interface: at most ten, each with its reason and
// the way to get the documented behavior. The suite fails on any other, and on one of these that no
// longer occurs. docs/api/compatibility.md explains them.

export interface AllowedDeviation {
  /** Endpoint and item, as the suite names them. */
  readonly at: readonly string[];
  readonly reason: string;
  /** Row in docs/api/compatibility.md. */
  readonly row: number;
}

export const ALLOWED_DEVIATIONS: readonly AllowedDeviation[] = [
  {
    at: ['GET /v2/constants coins{}.withdrawal_fees{}'],
    reason: 'newer clients and CCXT read an object for each network',
    row: 1,
  },
  {
    at: ['GET /v2/quick-trade spending_amount'],
    reason: 'the quote shows what its execution spends, in increments of the market',
    row: 2,
  },
  {
    at: [
      'PUT /v2/admin/user/role answer',
      'PUT /v2/admin/user/role user_id',
      'PUT /v2/admin/user/role role',
      'PUT /v2/admin/user/role message',
    ],
    reason: '403 for a key: a stolen key must not create operators',
    row: 3,
  },
  {
    at: ['PUT /v2/admin/staker status'],
    reason:
      'it is closed when it is paid, by a job that runs every minute; until then it is unstaking',
    row: 5,
  },
];
