// Operator action that puts the next version of the engine's rules in force. It cannot be undone.

import { RULES_VERSION_MAX } from '../../../core/messages/index.ts';
import { enqueue } from '../../../platform/outbox/index.ts';
import { type ActContext, defineAct } from '../../approvals/index.ts';
import { type FieldRefused, invalidField } from './decimals.ts';
import { readRulesVersion } from './listed.ts';

export type RulesVersionChange = { readonly version: number };

export const SET_RULES_VERSION = defineAct({
  name: 'engine.rules-version',
  votePower: 'approve.config',
  async prepare(context: ActContext, { version }: RulesVersionChange) {
    const now = await readRulesVersion(context);
    const refusal = checkVersion(now, version);
    if (refusal !== undefined) return refusal;
    return {
      object: 'rules version',
      objectVersion: `${now}`,
      approvals: 1,
      beneficiaries: [],
      shown: [{ label: 'Rules version', value: `${now} → ${version}` }],

      async run() {
        const command = await enqueue(context.connection, { kind: 'SetRulesVersion', version });
        return {
          result: { commands: [command] },
          before: { version: now },
          after: { version },
          effects: { dispatcher: true },
        };
      },
    };
  },
});

function checkVersion(now: number, version: number): FieldRefused | undefined {
  if (version < now) {
    return invalidField('version', `below the current version (${now}); it cannot be lowered`);
  }
  if (version > RULES_VERSION_MAX) {
    return invalidField('version', `higher than this release supports (${RULES_VERSION_MAX})`);
  }
  return undefined;
}
