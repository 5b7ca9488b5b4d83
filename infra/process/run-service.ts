// The main program of a process with one or more services: reads each configuration, creates the
// loggers, starts the services and stops them on a signal. An operator's mistake ends the process
// with one sentence per problem on standard error and never with a stack trace.

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
  /** Undefined in a process without a network. */
  readonly healthPort?: number;
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

interface ServiceDefinition<Config extends ServiceConfig> {
  /** The name in log lines: `projector`. */
  readonly service: string;
  readonly readConfig: (environment: NodeJS.ProcessEnv) => Config;
  readonly start: (starting: ServiceStart<Config>) => Promise<ServiceApp>;
}

/** A service that has not started. */
export interface Service {
  readonly name: string;
  /** Throws a ConfigFault. */
  configure(environment: NodeJS.ProcessEnv): ConfiguredService;
}

interface ConfiguredService {
  readonly config: ServiceConfig;
  start(log: Logger, fail: ServiceStart<unknown>['fail']): Promise<ServiceApp>;
}

export interface ServiceRun {
  readonly service: Service;
  readonly environment: NodeJS.ProcessEnv;
}

/** The machine's side of the process; replaced in tests. */
export interface ProcessPorts {
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

export function defineService<Config extends ServiceConfig>({
  readConfig,
  service: name,
  start,
}: ServiceDefinition<Config>): Service {
  return {
    name,
    configure(environment) {
      const config = readConfig(environment);
      return { config, start: (log, fail) => start({ config, log, fail }) };
    },
  };
}

/** Runs one service in this process, configured by its environment. Call it once, in main.ts. */
export function runService(service: Service): Promise<void> {
  return runServices([{ service, environment: process.env }]);
}

/**
 * Runs services in one process; a fault in one of them ends it. Resolves when all have started, or
 * when `exit` was called. On a signal they stop one after another, the last one first.
 */
export async function runServices(
  runs: readonly ServiceRun[],
  ports: ProcessPorts = {},
): Promise<void> {
  const { clock = systemClock, exit = (code) => process.exit(code), signals = process } = ports;
  const { isRightRuntime = computesRight, printError = console.error } = ports;
  if (!isRightRuntime()) {
    const names = runs.map(({ service }) => service.name).join(', ');
    printError(`${names} cannot start: ${WRONG_RUNTIME}`);
    exit(EXIT_WRONG_RUNTIME);
    return;
  }
  const configured = configureAll(runs, printError);
  if (configured === undefined) {
    exit(EXIT_CONFIGURATION);
    return;
  }
  const limitMs = Math.max(...configured.map(({ config }) => config.stopLimitMs));
  const apps: (ServiceApp | undefined)[] = [];
  stopOnSignals({ log: configured[0].log, limitMs, clock, exit, signals, stop: stopAll });
  await Promise.all(configured.map((one, at) => startOne(one, at)));

  async function startOne({ config, log, name, start }: LoggedService, at: number): Promise<void> {
    const slowStart = clock.after(SLOW_START_MS, () =>
      log.warn({ waitedMs: SLOW_START_MS }, 'start-up waits for NATS or PostgreSQL'),
    );
    try {
      const app = await start(log, failureOf(log));
      apps[at] = app;
      const { healthPort, url } = app;
      const ports = healthPort === undefined ? {} : { healthPort };
      const build = readBuildInfo(config.commit);
      log.info({ ...(url === undefined ? {} : { url }), ...ports, ...build }, 'started');
    } catch (fault) {
      if (isBug(fault)) throw fault;
      const reason = describeFault(fault);
      log.fatal({ reason }, 'start-up failed');
      printError(`${name} cannot start: ${reason}`);
      exit(isConfigurationFault(fault) ? EXIT_CONFIGURATION : EXIT_UNAVAILABLE);
    } finally {
      slowStart.cancel();
    }
  }

  async function stopAll(): Promise<void> {
    for (const app of apps.toReversed()) await app?.stop();
  }

  function failureOf(log: Logger) {
    return (reason: string, { cause, exitCode = EXIT_FAULT, fields }: FaultDetails = {}) => {
      try {
        log.fatal({ ...fields, ...(cause === undefined ? {} : { err: cause }) }, reason);
      } finally {
        exit(exitCode);
      }
    };
  }
}

interface LoggedService extends ConfiguredService {
  readonly name: string;
  readonly log: Logger;
}

/** Prints every problem of every service, and then returns undefined. */
function configureAll(
  runs: readonly ServiceRun[],
  printError: (line: string) => void,
): readonly LoggedService[] | undefined {
  const all = runs.map(({ environment, service: { configure, name } }) => {
    try {
      const { config, start } = configure(environment);
      const { instance, logLevel: level } = config;
      return { name, config, start, log: createLogger({ service: name, instance, level }) };
    } catch (fault) {
      if (!(fault instanceof ConfigFault)) throw fault;
      printError(runs.length === 1 ? fault.message : `${name}:\n${fault.message}`);
      return undefined;
    }
  });
  const configured = all.filter((one) => one !== undefined);
  return configured.length === runs.length ? configured : undefined;
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
