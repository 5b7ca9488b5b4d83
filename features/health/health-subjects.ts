// The bus subject of the health document: the monitor publishes it every second, gateways keep the
// last one.

export function healthSubject(exchange: string): string {
  return `${exchange}.health`;
}
