// Who is at the other end of an upgrade, by the rule that the framework follows for requests: a proxy that is trusted
// says for whom it asks, one after another from the nearest on.
import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';

const NAMED: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.1/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
};

/** Whether an address is one of these: addresses, networks and names, as the configuration takes them. */
export function createProxyTest(trusted: readonly string[]): (address: string) => boolean {
  const proxies = new BlockList();
  for (const network of trusted.flatMap((each) => NAMED[each.toLowerCase()] ?? [each])) {
    const [address = '', bits] = network.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (bits === undefined) proxies.addAddress(address, family);
    else proxies.addSubnet(address, Number(bits), family);
  }
  return (address) => {
    const own = plain(address);
    return isIP(own) !== 0 && proxies.check(own, isIP(own) === 6 ? 'ipv6' : 'ipv4');
  };
}

export function createClientAddress(trusted: readonly string[]): (request: IncomingMessage) => string {
  const isTrusted = createProxyTest(trusted);
  return ({ socket, headers }) => {
    const forwarded = String(headers['x-forwarded-for'] ?? '');
    const told = forwarded === '' ? [] : forwarded.split(',').map((each) => each.trim());
    let address = plain(socket.remoteAddress ?? '');
    for (let next = told.pop(); next !== undefined && isTrusted(address); next = told.pop()) address = plain(next);
    return address;
  };
}

/** One spelling, whether the socket listens on IPv4 or on both. */
function plain(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '');
}
