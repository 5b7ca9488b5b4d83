// The banner: a text of the operator for everybody who uses the exchange. One person sets it: in an
// incident users must hear of it at once. It changes nothing else.

import { type Act, ActRefused, defineAct } from '../../approvals/index.ts';
import type { BannerKind } from '../api/switches.ts';
import { readSwitches } from './switches.ts';

export type BannerChange = { readonly kind: BannerKind; readonly text: string };

export const SET_BANNER: Act<BannerChange, BannerChange> = defineAct({
  name: 'banner.set',
  votePower: 'approve.config',
  async assess(_context, { kind, text }) {
    if (text.trim() === '') throw new ActRefused('banner_empty');
    const shown = [{ label: kind, value: text }];
    return { object: 'banner', objectVersion: '', approvals: 0, beneficiaries: [], shown };
  },
  async execute({ connection, nowMs, operator }, { kind, text }) {
    const { banner } = await readSwitches(connection);
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
      effects: { switches: true },
    };
  },
});

/** May be repeated. */
export const REMOVE_BANNER: Act<{ readonly [name: string]: never }, null> = defineAct({
  name: 'banner.remove',
  votePower: 'approve.config',
  async assess() {
    const shown = [{ label: 'Removes', value: 'the banner' }];
    return { object: 'banner', objectVersion: '', approvals: 0, beneficiaries: [], shown };
  },
  async execute({ connection }) {
    const { banner } = await readSwitches(connection);
    await connection.query('delete from exchange_banner');
    return {
      result: null,
      before: banner === undefined ? null : { kind: banner.kind, text: banner.text },
      effects: { switches: true },
    };
  },
});
