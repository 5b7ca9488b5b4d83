// Log lines and metrics for a dispatcher. Only this file knows both.

import { databaseTelemetry } from '../../infra/postgres/index.ts';
import type { Logger, Metrics } from '../../infra/process/index.ts';
import { VOIDED_ROW_COMMAND } from '../../platform/outbox/index.ts';
import type { ChangePublisherWatcher } from './change-publisher.ts';
import type { DispatcherWatcher } from './outbox-dispatcher.ts';

/** Operators are expected to see these; every other reason is a bug. */
const EXPECTED = new Set(['channel_is_frozen', 'channel_must_exist']);

export function dispatcherTelemetry(log: Logger, metrics: Metrics): DispatcherWatcher {
  const database = databaseTelemetry(log, { metrics, name: 'rialto_outbox_database_away_total' });
  const sends = metrics.gauge({
    name: 'rialto_outbox_sends',
    help: '1 for the active dispatcher, 0 for a standby',
  });
  const settled = metrics.counter({
    name: 'rialto_outbox_settled_total',
    help: 'Outbox positions with a recorded outcome',
    labelNames: ['state'],
  });
  const seconds = metrics.histogram({
    name: 'rialto_outbox_round_seconds',
    help: 'Time from reading pending rows to committing their outcomes',
    buckets: [0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10],
  });
  const lookedUp = metrics.counter({
    name: 'rialto_outbox_looked_up_total',
    help: 'Positions whose outcome was read from the log',
  });
  const blocked = metrics.counter({
    name: 'rialto_outbox_held_up_total',
    help: 'How often a channel was blocked',
    labelNames: ['reason'],
  });
  return {
    standingBy() {
      sends.set(0);
      log.info('dispatcher standing by');
    },
    becameActive() {
      sends.set(1);
      log.info('dispatcher active');
    },
    registryBlocked(reason) {
      sends.set(0);
      log.error({ reason }, 'registry blocked: run `rialto restore reconcile`');
    },
    settled(all, tookMs) {
      for (const { outcome } of all) settled.inc({ state: outcome.state });
      seconds.observe(tookMs / 1_000);
      for (const { row, outcome } of all) {
        const { command } = row;
        const isEnd = command.kind === 'CompleteWithdrawal' || command.kind === 'CancelWithdrawal';
        const isVoid = isEnd && command.withdrawal === VOIDED_ROW_COMMAND.withdrawal;
        if (isEnd && !isVoid && outcome.state === 'refused') {
          log.error({ command, outcome }, 'withdrawal end refused');
        }
      }
    },
    lookedUp(count) {
      lookedUp.inc(count);
      log.info({ count }, 'outcomes looked up');
    },
    blocked(one) {
      blocked.inc({ reason: one.reason });
      if (EXPECTED.has(one.reason)) log.warn(one, 'channel blocked');
      else log.error(one, 'channel blocked by a bug');
    },
    ...checkTelemetry(log, metrics),
    ...configurationTelemetry(log, metrics),
    databaseDown(err) {
      sends.set(0);
      database.databaseDown(err);
    },
    databaseUp: database.databaseUp,
  };
}

function checkTelemetry(
  log: Logger,
  metrics: Metrics,
): Pick<DispatcherWatcher, 'voided' | 'commandVoided' | 'reviewsRaised' | 'creditReviewed'> {
  const voided = metrics.counter({
    name: 'rialto_outbox_voided_total',
    help: 'Rows that their writer is not allowed to write',
    labelNames: ['reason'],
  });
  const raised = metrics.counter({
    name: 'rialto_withdrawal_reviews_raised_total',
    help: 'Withdrawals for which the dispatcher required more reviews than their request',
  });
  const reviewed = metrics.counter({
    name: 'rialto_deposit_credits_reviewed_total',
    help: 'Credits from chains that an operator must review, by the limit that they exceed',
    labelNames: ['reason'],
  });
  return {
    voided({ channel, reason, sequence }, { command, writer }) {
      voided.inc({ reason });
      log.error({ channel, sequence, writer, command, reason }, 'outbox row voided');
    },
    commandVoided({ command, id, writer }, reason) {
      voided.inc({ reason });
      log.error({ id, writer, command, reason }, 'operator command voided');
    },
    reviewsRaised(withdrawal, reviews) {
      raised.inc();
      log.warn({ withdrawal, reviews }, 'withdrawal reviews raised');
    },
    creditReviewed(deposit, reason) {
      reviewed.inc({ reason });
      log.warn({ deposit, reason }, 'deposit credit sent to review');
    },
  };
}

function configurationTelemetry(
  log: Logger,
  metrics: Metrics,
): Pick<DispatcherWatcher, 'settingsSent' | 'settingsRefused' | 'commandSettled'> {
  const settingsSent = metrics.counter({
    name: 'rialto_user_settings_sent_total',
    help: 'User settings that the engine accepted',
  });
  const settingsRefused = metrics.counter({
    name: 'rialto_user_settings_refused_total',
    help: 'How often the engine refused user settings',
    labelNames: ['refusal'],
  });
  const commands = metrics.counter({
    name: 'rialto_operator_commands_total',
    help: 'Operator commands that the engine accepted or refused',
    labelNames: ['kind', 'refusal'],
  });
  return {
    settingsSent: (count) => settingsSent.inc(count),
    settingsRefused(settings, refusal) {
      settingsRefused.inc({ refusal });
      log.error({ settings, refusal }, 'user settings refused');
    },
    commandSettled(kind, refusal) {
      commands.inc({ kind, refusal });
      log.info({ kind, refusal }, 'operator command settled');
    },
  };
}

export interface ChangeTelemetry extends ChangePublisherWatcher {
  /** Changes of deposits and withdrawals. */
  published(changes: readonly { readonly changedAt: Date }[], nowMs: number): void;
}

export function changeTelemetry(log: Logger, metrics: Metrics): ChangeTelemetry {
  const published = metrics.counter({
    name: 'rialto_transfer_changes_published_total',
    help: 'Deposit and withdrawal changes published to the stream',
  });
  const seconds = metrics.histogram({
    name: 'rialto_transfer_change_seconds',
    help: 'Time from a deposit or withdrawal change to its publication',
    buckets: [0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 60],
  });
  return {
    published(changes, nowMs) {
      published.inc(changes.length);
      for (const { changedAt } of changes) {
        seconds.observe(Math.max(0, nowMs - changedAt.getTime()) / 1_000);
      }
    },
    publishFailed: (count) => log.warn({ count }, 'changes not published'),
  };
}
