// The logger: one line of JSON per message on standard output. It writes each line before the call
// returns, so the last lines before a crash are not lost, and hides fields named like secrets.

import { type DestinationStream, type Logger as PinoLogger, pino } from 'pino';

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

export type LogLevel = (typeof LOG_LEVELS)[number];
export type Logger = PinoLogger;

type LoggerOptions = {
  readonly service: string;
  /** Distinguishes this process from others of the same service. */
  readonly instance: string;
  readonly level: LogLevel;
  /** The destination of the lines; standard output by default. */
  readonly to?: DestinationStream;
};

export function createLogger({ service, instance, level, to }: LoggerOptions): Logger {
  return pino(
    {
      level,
      base: { service, instance },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      hooks: { streamWrite: withoutSecrets },
    },
    to ?? pino.destination({ fd: 1, sync: true }),
  );
}

const SECRET_FIELD = /"(?:secret|password|authorization|api[-_]?secret|(?:set-)?cookie)":/i;

// NOTE: pino's own redaction copies objects for paths with a star, which takes ten times as long
// and throws on byte arrays. Checking the finished line works at any depth.
function withoutSecrets(line: string): string {
  if (!SECRET_FIELD.test(line)) return line;
  return `${JSON.stringify(exactJson.parse(line, hideSecrets))}\n`;
}

function hideSecrets(field: string, value: unknown, { source }: { source?: string }): unknown {
  if (SECRET_FIELD.test(`"${field}":`)) return '[secret]';
  // Numbers keep their exact digits: an amount may have more of them than a double holds.
  return typeof value === 'number' && source !== undefined ? exactJson.rawJSON(source) : value;
}

// Node supports both calls; TypeScript's library types do not declare them yet.
const exactJson = JSON as unknown as {
  parse(text: string, revive: typeof hideSecrets): unknown;
  rawJSON(text: string): unknown;
};
