// Cases for `promtool test rules`: a healthy exchange, in which no alert fires, and for each alert
// the change that fires it.

import type { AlertRule } from './alert-rules.ts';

type Series = Readonly<Record<string, string>>;

interface AlertCase {
  readonly alert: string;
  readonly severity: 'ticket' | 'page';
  /** Replaces the healthy series with the same names. */
  readonly series: Series;
  /** Labels of the alert that the rule does not set. */
  readonly labels?: Readonly<Record<string, string>>;
}

/** One sample every five seconds, longer than the longest `for`. */
const always = (value: number): string => `${value}+0x240`;
const growing = (byFiveSeconds: number): string => `0+${byFiveSeconds}x240`;
const EVALUATED_AT = '15m';
/** A counter that moved thirty seconds before the evaluation. */
const STEP = '0+0x174 1+0x66';

const HEALTHY: Series = {
  'up{job="rialto",service="projector",instance="p1"}': always(1),
  'rialto_sequencer_leads{instance="s1"}': always(1),
  'rialto_sequencer_leads{instance="s2"}': always(0),
  rialto_health_reports_total: growing(5),
  'rialto_sequencer_log_unacknowledged_ms{instance="s1"}': always(2),
  rialto_projector_database_away_total: always(3),
  rialto_outbox_database_away_total: always(0),
  rialto_monitor_database_away_total: always(0),
  'rialto_sequencer_clock_ahead_seconds{instance="s1"}': always(0.01),
  'rialto_sequencer_time_ahead_seconds{instance="s1"}': always(-0.01),
  'rialto_reconciliation_differences{check="balances",asset=""}': always(0),
  'rialto_reconciliation_pass_age_seconds{check="balances",instance="r1"}': always(60),
  // A standby reconciler makes no passes.
  'rialto_reconciliation_pass_age_seconds{check="balances",instance="r2"}': always(90_000),
  'rialto_projector_lag_seconds{instance="p1"}': always(0.1),
  'rialto_mails_oldest_seconds{instance="m1"}': always(1),
  'rialto_build_info{service="projector",version="1",commit="a"}': always(1),
  'rialto_build_info{service="publisher",version="1",commit="a"}': always(1),
  'nodejs_eventloop_lag_p99_seconds{job="rialto",service="projector",instance="p1"}': always(0.02),
  'rialto_stream_closed_total{reason="tooSlow",instance="w1"}': growing(1),
};

const LAG = 'rialto_projector_lag_seconds{instance="p1"}';
const MAILS = 'rialto_mails_oldest_seconds{instance="m1"}';
const PASS = 'rialto_reconciliation_pass_age_seconds{check="balances",instance="r1"}';

const CASES: readonly AlertCase[] = [
  page('MonitorSilent', { rialto_health_reports_total: always(70) }),
  page('NoLeader', { 'rialto_sequencer_leads{instance="s1"}': always(0) }),
  page('TwoLeaders', { 'rialto_sequencer_leads{instance="s2"}': always(1) }),
  page('NoStandby', { 'rialto_sequencer_leads{instance="s2"}': '_x240' }),
  page('LogStandsStill', {
    'rialto_sequencer_log_unacknowledged_ms{instance="s1"}': always(4_000),
  }),
  {
    ...page('ServiceDown', {
      'up{job="rialto",service="projector",instance="p1"}': always(0),
    }),
    labels: { job: 'rialto', service: 'projector', instance: 'p1' },
  },
  page('DatabaseAway', { rialto_projector_database_away_total: STEP }),
  page('CommandForbidden', {
    'rialto_sequencer_commands_forbidden_total{sender="publisher",kind="Mint"}': always(1),
  }),
  page('ClockWrong', { 'rialto_sequencer_clock_ahead_seconds{instance="s1"}': always(-1.5) }),
  {
    ...page('MoneyDiffers', {
      'rialto_reconciliation_differences{check="balances",asset="usdt"}': always(1),
    }),
    labels: { check: 'balances' },
  },
  ticket('FollowerBehind', { [LAG]: always(5) }),
  page('FollowerBehind', { [LAG]: always(40) }),
  ticket('QueueOld', { [MAILS]: always(70) }),
  page('QueueOld', { [MAILS]: always(200) }),
  ticket('ReconciliationOld', { [PASS]: always(1_000) }),
  page('ReconciliationOld', { [PASS]: always(8_000) }),
  ticket('VersionsDiffer', {
    'rialto_build_info{service="publisher",version="2",commit="b"}': always(1),
  }),
  {
    ...ticket('LoopBlocked', {
      'nodejs_eventloop_lag_p99_seconds{job="rialto",service="projector",instance="p1"}':
        always(0.7),
    }),
    labels: { service: 'projector', instance: 'p1' },
  },
  {
    ...ticket('SlowReaders', {
      'rialto_stream_closed_total{reason="tooSlow",instance="w1"}': growing(6),
    }),
    labels: { instance: 'w1' },
  },
];

function page(alert: string, series: Series): AlertCase {
  return { alert, severity: 'page', series };
}

function ticket(alert: string, series: Series): AlertCase {
  return { alert, severity: 'ticket', series };
}

/** The input of `promtool test rules`. */
export function alertTests(rulesFile: string, rules: readonly AlertRule[]): unknown {
  const ofMonitor = rules.filter(({ labels }) => labels.source === 'monitor');
  const names = [...new Set(rules.map(({ name }) => name))];
  const quiet = oneTest(
    HEALTHY,
    names.map((alert) => ({ alert, expected: [] })),
  );
  const own = CASES.map(({ alert, labels = {}, series, severity }) => {
    // A page follows a ticket with the same name, which stays open.
    const firing = rules.filter(
      (rule) =>
        rule.name === alert &&
        rule.labels.source === 'prometheus' &&
        (rule.labels.severity === severity || severity === 'page'),
    );
    const expected = firing.map((rule) => expectation(rule, labels));
    return oneTest({ ...HEALTHY, ...series }, [{ alert, expected }]);
  });
  const open = ofMonitor.map(({ name }) => [
    `rialto_alarms_open{name="${name}",severity="page",instance="m1"}`,
    always(1),
  ]);
  const repeated = oneTest(
    { ...HEALTHY, ...Object.fromEntries(open) },
    ofMonitor.map((rule) => ({
      alert: rule.name,
      expected: [expectation(rule, { severity: 'page' })],
    })),
  );
  return {
    rule_files: [rulesFile],
    // Infrequent, because promtool evaluates every rule from the start of each test.
    evaluation_interval: '30s',
    tests: [quiet, repeated, ...own],
  };
}

/** Alerts from rules with `source: prometheus`, and whether each has its case. */
export function casesOf(): readonly { readonly alert: string; readonly severity: string }[] {
  return CASES;
}

interface Expectation {
  readonly exp_labels: Readonly<Record<string, string>>;
  readonly exp_annotations: Readonly<Record<string, string>>;
}

function expectation(rule: AlertRule, labels: Readonly<Record<string, string>>): Expectation {
  return { exp_labels: { ...rule.labels, ...labels }, exp_annotations: rule.annotations };
}

function oneTest(
  series: Series,
  alerts: readonly { alert: string; expected: readonly Expectation[] }[],
): unknown {
  return {
    interval: '5s',
    input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
    alert_rule_test: alerts.map(({ alert, expected }) => ({
      eval_time: EVALUATED_AT,
      alertname: alert,
      exp_alerts: expected,
    })),
  };
}
