// The act that puts the next version of the engine's rules in force. It cannot be taken back.

import { RULES_VERSION_MAX } from '../../../core/messages/index.ts';
import { enqueue } from '../../../platform/outbox/index.ts';
import { type Act, defineActInTwoSteps } from '../../approvals/index.ts';
import { invalidField } from './decimals.ts';
import { readRulesVersion } from './listed.ts';

export type RulesVersionChange = { readonly version: number };

export const SET_RULES_VERSION: Act<RulesVersionChange, { readonly commands: readonly number[] }> =
  defineActInTwoSteps({
    name: 'engine.rules-version',
    votePower: 'approve.config',
    async assess(context, { version }) {
      const now = await readRulesVersion(context);
      checkVersion(now, version);
      return {
        object: 'rules version',
        objectVersion: `${now}`,
        approvals: 1,
        beneficiaries: [],
        shown: [{ label: 'Rules version', value: `${now} → ${version}` }],
      };
    },
    async execute(context, { version }) {
      const now = await readRulesVersion(context);
      checkVersion(now, version);
      const command = await enqueue(context.connection, {
        kind: 'SetRulesVersion',
        version,
      });
      return {
        result: { commands: [command] },
        before: { version: now },
        after: { version },
        effects: { dispatcher: true },
      };
    },
  });

function checkVersion(now: number, version: number): void {
  if (version < now) throw invalidField('version', `less than now (${now}), and it cannot go back`);
  if (version > RULES_VERSION_MAX) {
    throw invalidField('version', `more than this release can run (${RULES_VERSION_MAX})`);
  }
}
