// Says in the log that sign-ins come through a proxy that is not in TRUSTED_PROXIES: all who come through it count as one
// address then, and one who fails slows the others.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Limit, OnLimit } from '../../limits/limit.ts';

/** Addresses of untrusted proxies that the log names: anybody can send the header. Further ones are not named. */
export const NAMED_PROXIES_LIMIT: Limit = { name: 'http.proxies.named', max: 16 };

const SIGN_IN = '/api/user/login';

export function installProxyWarnings(app: FastifyInstance, onLimit: OnLimit): void {
  const named = new Set<string>();
  app.addHook('onRequest', (request, _reply, done) => {
    const proxy = request.routeOptions.url === SIGN_IN ? untrustedProxyOf(request) : undefined;
    if (proxy !== undefined && !named.has(proxy)) {
      if (named.size >= NAMED_PROXIES_LIMIT.max) onLimit(NAMED_PROXIES_LIMIT);
      else {
        named.add(proxy);
        request.log.warn({ proxy }, WARNING);
      }
    }
    done();
  });
}

const WARNING =
  'a sign-in came with X-Forwarded-For or Forwarded from an address that is not in TRUSTED_PROXIES. If this is your proxy, add ' +
  'its address there: until then everybody behind it counts as one address, and failed sign-ins of one slow down all. ' +
  'If it is not, somebody pretends to forward; nothing was believed.';

/** The address of whoever says to ask for somebody else and is not believed; undefined when nobody does. */
function untrustedProxyOf({ headers, ips, socket }: FastifyRequest): string | undefined {
  if (headers['x-forwarded-for'] === undefined && headers.forwarded === undefined) return undefined;
  // With trusted proxies: the socket's address first, and after it those that were believed.
  if (ips !== undefined && ips.length > 1) return undefined;
  return socket.remoteAddress ?? '';
}
