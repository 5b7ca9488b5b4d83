// The log: lines of JSON on standard output, written before the call returns, so that the last
// words of a crash are out. A field named like a secret is never written with its value.

import { type DestinationStream, type Logger as PinoLogger, pino } from 'pino';

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

export type LogLevel = (typeof LOG_LEVELS)[number];
export type Logger = PinoLogger;

type LogOptions = {
  readonly service: string;
  /** Which of the processes of this service it is. */
  readonly instance: string;
  readonly level: LogLevel;
  /** Where the lines go, if not to standard output. */
  readonly to?: DestinationStream;
};

export function createLogger({ service, instance, level, to }: LogOptions): Logger {
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
// and throws at bytes. The finished line is safer to look at, and at any depth.
function withoutSecrets(line: string): string {
  if (!SECRET_FIELD.test(line)) return line;
  return `${JSON.stringify(exactJson.parse(line, hideSecrets))}\n`;
}

function hideSecrets(field: string, value: unknown, { source }: { source?: string }): unknown {
  if (SECRET_FIELD.test(`"${field}":`)) return '[secret]';
  // A number is written as it stood: an amount may have more digits than a double.
  return typeof value === 'number' && source !== undefined ? exactJson.rawJSON(source) : value;
}

// What Node's JSON can do beyond the types that TypeScript knows of it.
const exactJson = JSON as unknown as {
  parse(text: string, revive: typeof hideSecrets): unknown;
  rawJSON(text: string): unknown;
};
