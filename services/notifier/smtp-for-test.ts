// A real SMTP server for one test: stores the emails that it accepts, and replies as the test
// decides. Only tests import it.

import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  /** Message as sent, with `\n` as line breaks. */
  readonly raw: string;
  readonly isEncrypted: boolean;
}

export interface SmtpForTestOptions {
  readonly host?: string;
  readonly port?: number;
  readonly server?: SMTPServerOptions;
  /** Called before the recipient is accepted; returns a code to refuse it. */
  onRecipient?(address: string): number | undefined;
  /** Called when a message has arrived, before the reply; returns a code to refuse it. */
  onMessage?(mail: ReceivedMail): Promise<number | undefined> | number | undefined;
}

export interface SmtpForTest {
  readonly port: number;
  readonly url: string;
  /** The accepted messages. */
  readonly received: readonly ReceivedMail[];
  stop(): Promise<void>;
}

export async function startSmtpForTest(options: SmtpForTestOptions = {}): Promise<SmtpForTest> {
  const { host = '127.0.0.1', onMessage, onRecipient, port = 0 } = options;
  const received: ReceivedMail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disableReverseLookup: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    // Notifiers keep their connections open.
    closeTimeout: 50,
    onRcptTo(address, _session, done) {
      done(refusal(onRecipient?.(address.address), address.address));
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope;
        const mail = {
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          raw: Buffer.concat(chunks).toString().replaceAll('\r\n', '\n'),
          isEncrypted: session.secure,
        };
        void Promise.resolve(onMessage?.(mail)).then((code) => {
          if (code === undefined) received.push(mail);
          done(refusal(code, mail.to[0]));
        });
      });
    },
    ...options.server,
  });
  // Killed clients reset their connections.
  server.on('error', () => {});
  await new Promise<void>((done) => server.listen(port, host, done));
  const bound = (server.server.address() as AddressInfo).port;
  return {
    port: bound,
    url: `smtp://${host}:${bound}`,
    received,
    stop: () => new Promise((done) => server.close(() => done())),
  };
}

/** The text repeats the address, like those of real servers. */
function refusal(code: number | undefined, address: string): Error | undefined {
  if (code === undefined) return undefined;
  const text = `${Math.floor(code / 100)}.1.1 <${address}> is not accepted now`;
  return Object.assign(new Error(text), { responseCode: code });
}
