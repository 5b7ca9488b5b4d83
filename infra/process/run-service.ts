// The main program of every service: reads the configuration, creates the logger, starts the app
// and stops it on a signal. An operator's mistake ends the process with one sentence per problem on
// standard error and never with a stack trace.

import type { EventEmitter } from 'node:events';
import { readBuildInfo } from './build-info.ts';
import { computesRight, EXIT_WRONG_RUNTIME, WRONG_RUNTIME } from './check-runtime.ts';
import { type Clock, systemClock } from './clock.ts';
import { ConfigFault } from './config.ts';
import { describeFault } from './describe-fault.ts';
import { createLogger, type Logger, type LogLevel } from './logger.ts';
import { stopOnSignals } from './stop.ts';

/** The settings that every service has. */
interface ServiceConfig {
  readonly instance: string;
  readonly commit: string | undefined;
  readonly logLevel: LogLevel;
  readonly stopLimitMs: number;
}

interface ServiceApp {
  readonly healthPort: number;
  /** Where clients reach the service, if it serves any. */
  readonly url?: string;
  stop(): Promise<void>;
}

export interface ServiceStart<Config> {
  readonly config: Config;
  readonly log: Logger;
  /** Logs the fault and ends the process immediately, with 70 unless another code is given. */
  fail(reason: string, details?: FaultDetails): void;
}

interface FaultDetails {
  readonly cause?: unknown;
  readonly exitCode?: number;
  /** More fields of the log line. */
  readonly fields?: Readonly<Record<string, unknown>>;
}

export interface ServiceOptions<Config extends ServiceConfig> {
  /** The name in log lines: `projector`. */
  readonly service: string;
  readonly readConfig: (environment: NodeJS.ProcessEnv) => Config;
  readonly start: (starting: ServiceStart<Config>) => Promise<ServiceApp>;
  /** Replaced in tests: the machine's side of the process. */
  readonly environment?: NodeJS.ProcessEnv;
  readonly clock?: Clock;
  readonly signals?: Pick<EventEmitter, 'on'>;
  readonly printError?: (line: string) => void;
  readonly exit?: (code: number) => void;
  readonly isRightRuntime?: () => boolean;
}

/**
 * Exit codes of every service, from sysexits.h. 0 is an orderly stop, 1 a stop that was not
 * orderly. A supervisor should restart the process after each code but EXIT_CONFIGURATION.
 */
export const EXIT_UNAVAILABLE = 69;
export const EXIT_FAULT = 70;
/** Another process has the role of this one: the restarted process becomes its standby. */
export const EXIT_SUPERSEDED = 75;
export const EXIT_CONFIGURATION = 78;

/** A start-up that takes longer is logged: it most likely waits for NATS or PostgreSQL. */
const SLOW_START_MS = 5_000;

/** Resolves when the service has started, or when `exit` was called. Call it once, in main.ts. */
export async function runService<Config extends ServiceConfig>(
  options: ServiceOptions<Config>,
): Promise<void> {
  const { service, readConfig, start, environment = process.env, clock = systemClock } = options;
  const { printError = console.error, exit = (code) => process.exit(code) } = options;
  const { signals = process, isRightRuntime = computesRight } = options;
  if (!isRightRuntime()) {
    printError(`${service} cannot start: ${WRONG_RUNTIME}`);
    exit(EXIT_WRONG_RUNTIME);
    return;
  }
  const config = readOrExplain();
  if (config === undefined) return;

  const { instance, logLevel: level, stopLimitMs: limitMs } = config;
  const log = createLogger({ service, instance, level });
  let app: ServiceApp | undefined;
  stopOnSignals({ log, limitMs, clock, exit, signals, stop: async () => app?.stop() });

  const slowStart = clock.after(SLOW_START_MS, () =>
    log.warn({ waitedMs: SLOW_START_MS }, 'start-up waits for NATS or PostgreSQL'),
  );
  try {
    app = await start({ config, log, fail });
    const { healthPort, url } = app;
    const build = readBuildInfo(config.commit);
    log.info({ ...(url === undefined ? {} : { url }), healthPort, ...build }, 'started');
  } catch (fault) {
    if (isBug(fault)) throw fault;
    const reason = describeFault(fault);
    log.fatal({ reason }, 'start-up failed');
    printError(`${service} cannot start: ${reason}`);
    exit(isConfigurationFault(fault) ? EXIT_CONFIGURATION : EXIT_UNAVAILABLE);
  } finally {
    slowStart.cancel();
  }

  function readOrExplain(): Config | undefined {
    try {
      return readConfig(environment);
    } catch (fault) {
      if (!(fault instanceof ConfigFault)) throw fault;
      printError(fault.message);
      exit(EXIT_CONFIGURATION);
      return undefined;
    }
  }

  function fail(reason: string, { cause, exitCode = EXIT_FAULT, fields }: FaultDetails = {}): void {
    try {
      log.fatal({ ...fields, ...(cause === undefined ? {} : { err: cause }) }, reason);
    } finally {
      exit(exitCode);
    }
  }
}

/** Errors that only wrong code throws. They keep their stack. */
function isBug(fault: unknown): boolean {
  if (!(fault instanceof Error)) return true;
  return (
    fault instanceof TypeError ||
    fault instanceof ReferenceError ||
    fault instanceof SyntaxError ||
    fault.name === 'AssertionError'
  );
}

/** A fault that the same configuration will always meet says so with `isConfiguration`. */
function isConfigurationFault(fault: unknown): boolean {
  return (
    fault instanceof ConfigFault ||
    fault instanceof RangeError ||
    (fault instanceof Error && 'isConfiguration' in fault && fault.isConfiguration === true)
  );
}
