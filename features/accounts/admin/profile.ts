// Acts about what the exchange knows of a user: personal data, level, discount, meta, note, flag.

import { atomsFromDecimal } from '../../../core/money/index.ts';
import {
  type ActContext,
  ActRefused,
  type Assessment,
  defineAct,
  findTarget,
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
import { changeMeta, isMetaRefusal } from './user-meta.ts';

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
  /** JSON: numbers may have fractions. */
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
  async assess(context: ActContext, { user }: PersonalPayload): Promise<Assessment> {
    return assessmentOf(await findTarget(context, user, PERSON));
  },
  async execute(context: ActContext, { change, user }: PersonalPayload) {
    const { connection, nowMs, operator, vault } = context;
    const { id } = await lockTarget(context, user, PERSON);
    const before = await readPersonal(connection, vault, id);
    const clear = await clearFieldsOf(connection, operator, { subject: id, nowMs });
    const { address, idData, ...rest } = unmaskPersonal(before, change, clear);
    const after = await writePersonal(connection, vault, id, {
      ...rest,
      ...(address !== undefined && { address: { ...before.address, ...address } }),
      ...(idData !== undefined && { idData: { ...before.idData, ...idData } }),
    });
    if (typeof after === 'string') throw new ActRefused('user_is_erased');
    const fields = Object.keys(change).sort() as (keyof PersonalData)[];
    const valuesOf = (data: PersonalData) =>
      Object.fromEntries(fields.map((field) => [field, data[field]])) as JsonObject;
    return {
      result: { user: id },
      subject: id,
      before: { idStatus: statusOf(before) },
      after: { fields, idStatus: statusOf(after) },
      personal: { before: valuesOf(before), after: valuesOf(after) },
    };
  },
});

export const setLevelAct = defineAct({
  name: 'user.level',
  votePower: 'approve.access',
  async assess(context: ActContext, { level, user }: LevelPayload): Promise<Assessment> {
    const target = await findTarget(context, user, PERSON);
    return assessmentOf(target, [{ label: 'New level', value: `${level}` }]);
  },
  async execute(context: ActContext, { level, user }: LevelPayload) {
    const { connection } = context;
    const target = await lockTarget(context, user, PERSON);
    const tier = await connection.query('select from tiers where id = $1', [level]);
    if (tier.rows.length === 0) throw new ActRefused('level_unknown', { level });
    // A trigger keeps the fee tier and the level of sub-accounts.
    await connection.query(
      'update users set verification_level = $2, updated_at = now() where id = $1',
      [target.id, level],
    );
    return {
      result: { user: target.id, level },
      subject: target.id,
      before: { level: target.level },
      after: { level },
      effects: { accessOf: [target.id], dispatcher: true },
    };
  },
});

/** The exchange earns less from the user, so another person must agree. */
export const setDiscountAct = defineAct({
  name: 'user.discount',
  votePower: 'approve.config',
  async assess(context: ActContext, { discount, user }: DiscountPayload): Promise<Assessment> {
    const target = await findTarget(context, user);
    requireDiscount(target, discount);
    const shown = [
      { label: 'Discount on fees', value: `${target.discount} %` },
      { label: 'New discount', value: `${discount} %` },
    ];
    return { ...assessmentOf(target, shown), approvals: 1, objectVersion: target.discount };
  },
  async execute(context: ActContext, { discount, user }: DiscountPayload) {
    const { connection } = context;
    const target = await lockTarget(context, user);
    const discountPpm = requireDiscount(target, discount);
    await connection.query('update users set discount = $2, updated_at = now() where id = $1', [
      target.id,
      discount,
    ]);
    await setEngineSettings(connection, { user: target.id, discountPpm });
    return {
      result: { user: target.id, discount },
      subject: target.id,
      before: { discount: target.discount },
      after: { discount },
      effects: { dispatcher: true },
    };
  },
});

export const setMetaAct = defineAct({
  name: 'user.meta',
  votePower: 'approve.access',
  personal: ['meta'],
  async assess(context: ActContext, { user }: MetaPayload): Promise<Assessment> {
    return assessmentOf(await findTarget(context, user));
  },
  async execute(context: ActContext, { meta, overwrite, user }: MetaPayload) {
    const { connection } = context;
    const target = await lockTarget(context, user);
    const kit = await connection.query("select content -> 'user_meta' as keys from kit");
    const change = { given: unmaskFields(JSON.parse(meta), target.meta, maskMeta), overwrite };
    const after = changeMeta(kit.rows[0]?.keys ?? {}, target.meta, change);
    if (isMetaRefusal(after)) {
      const { name, refusal, type } = after;
      throw new ActRefused(refusal, { name, type });
    }
    await connection.query('update users set meta = $2, updated_at = now() where id = $1', [
      target.id,
      JSON.stringify(after),
    ]);
    return {
      result: { user: target.id },
      subject: target.id,
      before: { keys: Object.keys(target.meta).sort() },
      after: { keys: Object.keys(after).sort() },
      personal: { before: target.meta as JsonObject, after: after as JsonObject },
    };
  },
});

export const setNoteAct = defineAct({
  name: 'user.note',
  votePower: 'approve.access',
  personal: ['note'],
  async assess(context: ActContext, { user }: NotePayload): Promise<Assessment> {
    return assessmentOf(await findTarget(context, user));
  },
  async execute(context: ActContext, { note: sent, user }: NotePayload) {
    const target = await lockTarget(context, user);
    const note = unmaskText(sent, target.note, hideText);
    await context.connection.query('update users set note = $2, updated_at = now() where id = $1', [
      target.id,
      note,
    ]);
    return {
      result: { user: target.id },
      subject: target.id,
      personal: { before: target.note, after: note },
    };
  },
});

/** Flags a user for other operators, or removes the flag. */
export const toggleFlagAct = defineAct({
  name: 'user.flag',
  votePower: 'approve.access',
  async assess(context: ActContext, { user }: UserPayload): Promise<Assessment> {
    return assessmentOf(await findTarget(context, user));
  },
  async execute(context: ActContext, { user }: UserPayload) {
    const { flagged, id } = await lockTarget(context, user);
    await context.connection.query(
      'update users set flagged = $2, updated_at = now() where id = $1',
      [id, !flagged],
    );
    return {
      result: { user: id, flagged: !flagged },
      subject: id,
      before: { flagged },
      after: { flagged: !flagged },
    };
  },
});

function requireDiscount(target: TargetUser, discount: string): number {
  const ppm = atomsFromDecimal(discount, DISCOUNT_DECIMALS);
  if (!ppm.ok || ppm.value > WHOLE_PPM) throw new ActRefused('discount_invalid');
  const present = atomsFromDecimal(target.discount, DISCOUNT_DECIMALS);
  if (present.ok && present.value === ppm.value) throw new ActRefused('discount_unchanged');
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
