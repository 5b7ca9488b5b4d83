// Handlers for the kit, for operators.

import type { Dependencies, HandlersOf } from '../../../platform/http/index.ts';
import type { Kit } from '../../../protocol/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import { answerAct, plainDecimal } from '../../approvals/http/index.ts';
import { kitWith } from '../../listings/index.ts';
import { setReferralProgram } from '../../referral/admin.ts';
import {
  changeKit,
  changeUserMeta,
  createUserMeta,
  readKitContent,
  removeUserMeta,
  type UserMetaField,
} from '../admin.ts';

type Json = Parameters<typeof changeKit.prepare>[1]['kit'];

export const kitRoutes: HandlersOf<'kit'> = {
  getOperatorKit: (_call, dependencies) => kitJson(dependencies),

  changeKit(call, dependencies) {
    const { kit = {}, secrets = {} } = call.body;
    if (Object.keys(secrets).length > 0) return new Refused('kit_secrets_elsewhere');
    // The body is JSON, and its fractions are texts.
    return answerAct(call, dependencies, changeKit, { kit: kit as Json }, () =>
      kitJson(dependencies),
    );
  },

  setReferralProgram(call, dependencies) {
    const { minimum_amount: minimum, ...rest } = call.body;
    const text = minimum === undefined ? undefined : plainDecimal(minimum);
    if (text instanceof Refused) return text;
    const program = { ...rest, ...(text !== undefined && { minimum_amount: Number(text) }) };
    return answerAct(call, dependencies, setReferralProgram, program, () => kitJson(dependencies));
  },

  createUserMeta: (call, dependencies) =>
    answerAct(call, dependencies, createUserMeta, { ...call.body }, userMetaJson),

  changeUserMeta(call, dependencies) {
    const { description = null, name, required = null, type = null } = call.body;
    const change = { name, type, required, description };
    return answerAct(call, dependencies, changeUserMeta, change, userMetaJson);
  },

  removeUserMeta: (call, dependencies) =>
    answerAct(call, dependencies, removeUserMeta, { name: call.query.name }, userMetaJson),
};

/** From the table, because this gateway's catalog can be a second old. */
async function kitJson({ catalogue, registry }: Dependencies) {
  const content = await readKitContent(registry);
  return { kit: kitWith(content, catalogue.now.createdAtMs) as Kit, secrets: {} };
}

function userMetaJson(fields: object): Record<string, UserMetaField> {
  return { ...fields };
}
