// Addresses of data connections as PORT, EPRT, PASV and EPSV write them. Pure.
import { isIPv4, isIPv6 } from 'node:net';

export interface DataAddress {
  readonly host: string;
  readonly port: number;
}

/** Below are the ports of the system's own services, which a terminal has no data connection on. */
const MIN_PORT = 1_024;
const MAX_PORT = 65_535;

/** `h1,h2,h3,h4,p1,p2`. */
export function parsePort(argument: string): DataAddress | undefined {
  if (!/^\d{1,3}(?:,\d{1,3}){5}$/.test(argument)) return undefined;
  const numbers = argument.split(',').map(Number);
  if (numbers.some((number) => number > 255)) return undefined;
  const [high = 0, low = 0] = numbers.slice(4);
  return { host: numbers.slice(0, 4).join('.'), port: high * 256 + low };
}

/** `|1|10.0.0.7|5000|` or `|2|2001:db8::1|5000|`, with any delimiter. */
export function parseEprt(argument: string): DataAddress | undefined {
  const delimiter = argument[0];
  if (delimiter === undefined || /[\da-f.:]/i.test(delimiter)) return undefined;
  const [before, family, host = '', port = '', behind, more] = argument.split(delimiter);
  if (before !== '' || behind !== '' || more !== undefined || !/^\d{1,5}$/.test(port)) return undefined;
  const isAddress = family === '1' ? isIPv4(host) : family === '2' && isIPv6(host);
  return isAddress ? { host, port: Number(port) } : undefined;
}

/**
 * A terminal names itself: a server that connects to anybody else could be used to reach computers behind it, and would
 * send them what a third one wrote.
 */
export function isOwnAddress({ host, port }: DataAddress, remoteAddress: string): boolean {
  return host.toLowerCase() === remoteAddress.toLowerCase() && port >= MIN_PORT && port <= MAX_PORT;
}

/** The text in the answer to PASV. */
export function pasvText({ host, port }: DataAddress): string {
  return [...host.split('.'), port >>> 8, port & 0xff].join(',');
}
