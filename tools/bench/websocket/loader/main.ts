// Loader in a separate process: opens many sockets, and counts their messages or records arrival
// times. Its parent sends it orders.

import { startedBy } from '../../../command-line.ts';
import { type LoaderOrder, type LoaderSaying, monotonicMs } from './orders.ts';
import { RawSocket } from './raw-socket.ts';

startedBy('npm run bench -- websocket');

const AT_ONCE = 50;
const BEST_BID_SIZE = /"bids":\[\[[\d.]+,([\d.]+)\]/;
const PING_EVERY_MS = 25_000;

let sockets: RawSocket[] = [];
let quickCount = 0;
let mode: 'none' | 'count' | 'note' = 'none';
let messageBytes = 1;
let bytes = 0;
let counted = 0;
let notes: number[] = [];

process.on('message', (order: LoaderOrder) => void obey(order));
setInterval(() => {
  for (const socket of sockets) if (!socket.isClosed) socket.send('{"op":"ping"}');
}, PING_EVERY_MS).unref();

async function obey(order: LoaderOrder): Promise<void> {
  switch (order.kind) {
    case 'open':
      await open(order);
      say({ kind: 'opened' });
      break;
    case 'count':
      ({ messageBytes } = order);
      mode = 'count';
      bytes = counted = 0;
      say({ kind: 'counting' });
      break;
    case 'note':
      mode = 'note';
      notes = [];
      break;
    case 'finish':
      mode = 'none';
      say({ kind: 'notes', notes, closed: sockets.filter(({ isClosed }) => isClosed).length });
      break;
    case 'close':
      for (const socket of sockets) socket.close();
      sockets = [];
      quickCount = 0;
      mode = 'none';
      say({ kind: 'closed' });
  }
}

async function open(order: Extract<LoaderOrder, { kind: 'open' }>): Promise<void> {
  const { count, message, path, port, reading } = order;
  for (let left = count; left > 0; left -= AT_ONCE) {
    const opening = Array.from({ length: Math.min(left, AT_ONCE) }, () => {
      const id = quickCount;
      if (reading === 'quick') quickCount += 1;
      const onBytes = reading === 'quick' ? receiver(id) : () => {};
      return RawSocket.open({ port, path, message, reading, onBytes });
    });
    sockets.push(...(await Promise.all(opening)));
  }
}

function receiver(id: number): (chunk: Buffer) => void {
  let rest: Buffer | undefined;
  return (chunk) => {
    if (mode === 'count') {
      count(chunk.length);
      return;
    }
    const nowMs = mode === 'note' ? monotonicMs() : 0;
    let data = rest === undefined ? chunk : Buffer.concat([rest, chunk]);
    for (;;) {
      const frame = frameOf(data);
      if (frame === undefined) break;
      if (mode === 'note') note(id, frame.payload, nowMs);
      data = data.subarray(frame.length);
    }
    rest = data.length === 0 ? undefined : data;
  };
}

function count(length: number): void {
  bytes += length;
  const whole = Math.floor(bytes / (messageBytes * quickCount));
  if (whole === counted) return;
  counted = whole;
  say({ kind: 'counted', messages: counted });
}

function note(id: number, payload: Buffer, nowMs: number): void {
  const size = BEST_BID_SIZE.exec(payload.subarray(0, 200).toString('latin1'))?.[1];
  if (size !== undefined) notes.push(id, Number(size), nowMs);
}

function frameOf(data: Buffer): { payload: Buffer; length: number } | undefined {
  if (data.length < 2) return undefined;
  const short = data[1] & 0x7f;
  const head = short < 126 ? 2 : short === 126 ? 4 : 10;
  if (data.length < head) return undefined;
  const size =
    short < 126 ? short : short === 126 ? data.readUInt16BE(2) : Number(data.readBigUInt64BE(2));
  if (data.length < head + size) return undefined;
  return { payload: data.subarray(head, head + size), length: head + size };
}

function say(saying: LoaderSaying): void {
  process.send?.(saying);
}
