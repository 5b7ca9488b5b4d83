// Banner: an operator's text for all users of the exchange. Needs no approval, because users must
// be informed immediately in an incident. Changes nothing else.

import { Refused } from '../../../protocol/wire/index.ts';
import { type ActContext, defineAct } from '../../approvals/index.ts';
import type { BannerKind } from '../api/switches.ts';
import { readSwitches } from './switches.ts';

export type BannerChange = { readonly kind: BannerKind; readonly text: string };

export const SET_BANNER = defineAct({
  name: 'banner.set',
  votePower: 'approve.config',
  async prepare({ connection, nowMs, operator }: ActContext, { kind, text }: BannerChange) {
    if (text.trim() === '') return new Refused('banner_empty');
    const { banner } = await readSwitches(connection);
    return {
      object: 'banner',
      objectVersion: '',
      approvals: 0 as const,
      beneficiaries: [],
      shown: [{ label: kind, value: text }],
      async run() {
        await connection.query(
          `insert into exchange_banner (kind, text, set_by, set_at) values ($1, $2, $3, $4)
           on conflict (id) do update set kind = excluded.kind, text = excluded.text,
             set_by = excluded.set_by, set_at = excluded.set_at`,
          [kind, text, operator.user, new Date(nowMs)],
        );
        return {
          result: { kind, text },
          before: banner === undefined ? null : { kind: banner.kind, text: banner.text },
          after: { kind, text },
          effects: { switches: true as const },
        };
      },
    };
  },
});

/** Can be repeated. */
export const REMOVE_BANNER = defineAct({
  name: 'banner.remove',
  votePower: 'approve.config',
  async prepare({ connection }: ActContext, _nothing: { readonly [name: string]: never }) {
    const { banner } = await readSwitches(connection);
    return {
      object: 'banner',
      objectVersion: '',
      approvals: 0 as const,
      beneficiaries: [],
      shown: [{ label: 'Remove', value: 'banner' }],
      async run() {
        await connection.query('delete from exchange_banner');
        return {
          result: null,
          before: banner === undefined ? null : { kind: banner.kind, text: banner.text },
          effects: { switches: true as const },
        };
      },
    };
  },
});
