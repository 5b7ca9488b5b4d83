// Operator actions on a user's record: personal data, level, discount, meta, note, flag.

import { atomsFromDecimal } from '../../../core/money/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import {
  type ActContext,
  type Assessment,
  defineAct,
  lockTarget,
  objectOf,
  type ShownLine,
  type TargetUser,
  userLabel,
} from '../../approvals/index.ts';
import type { JsonObject } from '../../audit/index.ts';
import {
  clearFieldsOf,
  hideText,
  maskMeta,
  unmaskFields,
  unmaskPersonal,
  unmaskText,
} from '../../pii-access/index.ts';
import { setEngineSettings } from '../engine-settings.ts';
import { type PersonalData, readPersonal, writePersonal } from '../personal-data.ts';
import type { UserPayload } from './account-state.ts';
import { changeMeta } from './user-meta.ts';

/** An omitted field keeps its value. In address and document, so do omitted keys. */
export type PersonalPayload = {
  readonly user: number;
  readonly change: JsonObject;
};
export type LevelPayload = { readonly user: number; readonly level: number };
/** Percent, as a decimal. */
export type DiscountPayload = { readonly user: number; readonly discount: string };
export type NotePayload = { readonly user: number; readonly note: string };
export type MetaPayload = {
  readonly user: number;
  /** JSON, because numbers can have fractions. */
  readonly meta: string;
  readonly overwrite: boolean;
};

const PERSON = { isPerson: true } as const;
/** A percent is 10,000 ppm, so a discount has four decimals. */
const DISCOUNT_DECIMALS = 4;
const WHOLE_PPM = 1_000_000n;

export const updateUserAct = defineAct({
  name: 'user.update',
  votePower: 'approve.access',
  personal: ['change'],
  async prepare(context: ActContext, { change, user }: PersonalPayload) {
    const { connection, nowMs, operator, vault } = context;
    const target = await lockTarget(context, user, PERSON);
    if (target instanceof Refused) return target;
    const { id } = target;
    const before = await readPersonal(connection, vault, id);
    const clear = await clearFieldsOf(connection, operator, { subject: id, nowMs });
    const unmasked = unmaskPersonal(before, change, clear);
    if (unmasked instanceof Refused) return unmasked;
    const { address, idData, ...rest } = unmasked;
    const fields = Object.keys(change).sort() as (keyof PersonalData)[];
    const valuesOf = (data: PersonalData) =>
      Object.fromEntries(fields.map((field) => [field, data[field]])) as JsonObject;
    return {
      ...assessmentOf(target),
      async run() {
        const written = {
          ...rest,
          ...(address !== undefined && { address: { ...before.address, ...address } }),
          ...(idData !== undefined && { idData: { ...before.idData, ...idData } }),
        };
        const after = await writePersonal(connection, vault, id, written, operator.user);
        if (typeof after === 'string') return new Refused('user_is_erased');
        return {
          result: { user: id },
          subject: id,
          before: { idStatus: statusOf(before) },
          after: { fields, idStatus: statusOf(after) },
          personal: { before: valuesOf(before), after: valuesOf(after) },
        };
      },
    };
  },
});

export const setLevelAct = defineAct({
  name: 'user.level',
  votePower: 'approve.access',
  async prepare(context: ActContext, { level, user }: LevelPayload) {
    const { connection } = context;
    const target = await lockTarget(context, user, PERSON);
    if (target instanceof Refused) return target;
    const tier = await connection.query('select from tiers where id = $1', [level]);
    if (tier.rows.length === 0) return new Refused('level_unknown', { level });
    const { id } = target;
    return {
      ...assessmentOf(target, [{ label: 'New level', value: `${level}` }]),
      async run() {
        // A trigger updates the fee tier and the level of sub-accounts.
        await connection.query(
          'update users set verification_level = $2, updated_at = now() where id = $1',
          [id, level],
        );
        return {
          result: { user: id, level },
          subject: id,
          before: { level: target.level },
          after: { level },
          effects: { accessOf: [id], dispatcher: true },
        };
      },
    };
  },
});

/** Requires approval from another operator, because the exchange earns less from the user. */
export const setDiscountAct = defineAct({
  name: 'user.discount',
  votePower: 'approve.config',
  async prepare(context: ActContext, { discount, user }: DiscountPayload) {
    const { connection } = context;
    const target = await lockTarget(context, user);
    if (target instanceof Refused) return target;
    const discountPpm = parseDiscount(discount);
    if (discountPpm instanceof Refused) return discountPpm;
    const isSame = discountPpm === parseDiscount(target.discount);
    const shown = [
      { label: 'Fee discount', value: `${target.discount}%` },
      { label: 'New discount', value: `${discount}%` },
    ];
    const { id } = target;
    return {
      ...assessmentOf(target, shown),
      approvals: isSame ? 0 : 1,
      objectVersion: target.discount,
      async run() {
        await connection.query('update users set discount = $2, updated_at = now() where id = $1', [
          id,
          discount,
        ]);
        await setEngineSettings(connection, { user: id, discountPpm });
        return {
          result: { user: id, discount },
          subject: id,
          before: { discount: target.discount },
          after: { discount },
          effects: { dispatcher: true },
        };
      },
    };
  },
});

export const setMetaAct = defineAct({
  name: 'user.meta',
  votePower: 'approve.access',
  personal: ['meta'],
  async prepare(context: ActContext, { meta, overwrite, user }: MetaPayload) {
    const { connection } = context;
    const target = await lockTarget(context, user);
    if (target instanceof Refused) return target;
    const kit = await connection.query("select content -> 'user_meta' as keys from kit");
    const given = unmaskFields(JSON.parse(meta), target.meta, maskMeta);
    if (given instanceof Refused) return given;
    const after = changeMeta(kit.rows[0]?.keys ?? {}, target.meta, { given, overwrite });
    if (after instanceof Refused) return after;
    const { id } = target;
    return {
      ...assessmentOf(target),
      async run() {
        await connection.query('update users set meta = $2, updated_at = now() where id = $1', [
          id,
          JSON.stringify(after),
        ]);
        return {
          result: { user: id },
          subject: id,
          before: { keys: Object.keys(target.meta).sort() },
          after: { keys: Object.keys(after).sort() },
          personal: { before: target.meta as JsonObject, after: after as JsonObject },
        };
      },
    };
  },
});

export const setNoteAct = defineAct({
  name: 'user.note',
  votePower: 'approve.access',
  personal: ['note'],
  async prepare(context: ActContext, { note: sent, user }: NotePayload) {
    const { connection } = context;
    const target = await lockTarget(context, user);
    if (target instanceof Refused) return target;
    const note = unmaskText(sent, target.note, hideText);
    if (note instanceof Refused) return note;
    const { id } = target;
    return {
      ...assessmentOf(target),
      async run() {
        await connection.query('update users set note = $2, updated_at = now() where id = $1', [
          id,
          note,
        ]);
        const personal = { before: target.note, after: note };
        return { result: { user: id }, subject: id, personal };
      },
    };
  },
});

/** Flags a user for other operators, or removes the flag. */
export const toggleFlagAct = defineAct({
  name: 'user.flag',
  votePower: 'approve.access',
  async prepare(context: ActContext, { user }: UserPayload) {
    const { connection } = context;
    const target = await lockTarget(context, user);
    if (target instanceof Refused) return target;
    const { flagged, id } = target;
    return {
      ...assessmentOf(target),
      async run() {
        await connection.query('update users set flagged = $2, updated_at = now() where id = $1', [
          id,
          !flagged,
        ]);
        return {
          result: { user: id, flagged: !flagged },
          subject: id,
          before: { flagged },
          after: { flagged: !flagged },
        };
      },
    };
  },
});

function parseDiscount(discount: string): number | Refused<'discount_invalid'> {
  const ppm = atomsFromDecimal(discount, DISCOUNT_DECIMALS);
  if (!ppm.ok || ppm.value > WHOLE_PPM) return new Refused('discount_invalid');
  return Number(ppm.value);
}

function statusOf({ idData }: PersonalData): number {
  return typeof idData.status === 'number' ? idData.status : 0;
}

function assessmentOf(target: TargetUser, shown: readonly ShownLine[] = []): Assessment {
  return {
    object: objectOf(target.id),
    objectVersion: '',
    approvals: 0,
    beneficiaries: [target.id],
    shown: [...userLabel(target), ...shown],
  };
}
